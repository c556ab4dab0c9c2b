// A mail server that takes every email and keeps what each recipient got.
import { createServer, type Socket } from 'node:net';
import { listening } from '@roster/testkit';

const replies: Record<string, string> = {
  DATA: '354 go on',
  QUIT: '221 bye',
};

/** One command after the other; a line with nothing but a dot ends an email. */
const serve = (socket: Socket, keep: (to: readonly string[], text: string) => void): void => {
  let [rest, isData, to]: [string, boolean, string[]] = ['', false, []];
  const say = (reply: string): void => void socket.write(`${reply}\r\n`);
  const take = (line: string): void => {
    const command = line.slice(0, 4).toUpperCase();
    if (command === 'MAIL') to = [];
    if (command === 'RCPT') to.push(/<(.*)>/.exec(line)?.[1] ?? '');
    isData = command === 'DATA';
    say(replies[command] ?? '250 ok');
  };
  const read = (): void => {
    for (;;) {
      const mark = isData ? '\r\n.\r\n' : '\r\n';
      const end = rest.indexOf(mark);
      if (end < 0) return;
      const text = rest.slice(0, end);
      rest = rest.slice(end + mark.length);
      if (!isData) take(text);
      else {
        keep(to, text);
        isData = false;
        say('250 kept');
      }
    }
  };
  socket.setEncoding('utf8');
  socket.on('data', (part) => {
    rest += part;
    read();
  });
  // A process that is killed cuts its connections.
  socket.on('error', () => {});
  say('220 mail server of a fault');
};

export const openMailServer = async () => {
  /** By recipient, in the order in which they came. */
  const got = new Map<string, string[]>();
  const sockets = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, (to, text) => {
      most = Math.max(most, to.length);
      for (const one of to) got.set(one, [...(got.get(one) ?? []), text]);
    });
  });
  return {
    url: (await listening(server)).replace('http:', 'smtp:'),
    got,
    /** Of one email, of those that came since this was asked for. */
    mostRecipients(): number {
      const asked = most;
      most = 0;
      return asked;
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

export type MailServer = Awaited<ReturnType<typeof openMailServer>>;
