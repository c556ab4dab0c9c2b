// Mail servers that misbehave: RFC 5321.
import { always, type Behave, drip, flood, inTurn, last, silent } from './behave.ts';

/** Greets, then answers each line by its first four letters. */
const conversation =
  (greeting: string, replies: Readonly<Record<string, string>>, otherwise: string): Behave =>
  (socket) => {
    let rest = '';
    socket.write(`${greeting}\r\n`);
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop()?.slice(0, 1_000) ?? '';
      for (const line of lines) socket.write(`${replies[line.slice(0, 4).toUpperCase()] ?? otherwise}\r\n`);
    });
  };

const greeting = '220 mail.example ESMTP';

const after =
  (first: string, piece: string): Behave =>
  (socket) => {
    socket.write(first);
    flood(socket, piece);
  };

export const smtp = {
  silent,
  endless: inTurn(
    after('', '220-and more\r\n'),
    after('220 ', 'x'),
    after(`${greeting}\r\n`, '250-MORE\r\n'),
    after(`${greeting}\r\n250-mail.example\r\n250 SIZE ${'9'.repeat(400)}\r\n`, '250 ok\r\n'),
  ),
  slow: (socket) => drip(socket, `${greeting}\r\n250-mail.example\r\n250 ok\r\n`),
  lying: inTurn(
    conversation('354 go on', {}, '250 ok'),
    conversation('hello', {}, 'hello'),
    conversation(greeting, {}, '999 what'),
    conversation(greeting, { DATA: '250 kept already' }, '250 ok'),
    conversation(greeting, { RCPT: '354 go on', DATA: '220 again' }, '250 ok'),
    conversation(greeting, { EHLO: '250-mail.example\r\n250 STARTTLS', STAR: '220 go\r\nno TLS' }, '250 ok'),
    conversation(greeting, { EHLO: '250-mail.example\r\n250 AUTH PLAIN LOGIN CRAM-MD5' }, '334 ===='),
    conversation(greeting, { DATA: '354 go on' }, '451 later'),
    last('HTTP/1.1 400 Bad Request\r\n\r\n'),
    always(Buffer.from([0, 255, 13, 0, 10])),
  ),
} as const satisfies Record<string, Behave>;
