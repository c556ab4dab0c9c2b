/** Bytes on a socket, as no HTTP library would send them. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Heard {
  /** Everything that came back. */
  text: string;
  /** Status of each answer, in order. */
  statuses: number[];
  closed: boolean;
}

const statusLine = /HTTP\/1\.1 (\d{3})/g;

/** A connection that says something and listens. */
export const hold = (port: number, pieces: readonly (string | Buffer)[]) => {
  const socket = connect(port, '127.0.0.1');
  const heard = { text: '', closed: false };
  socket.on('data', (data) => {
    heard.text += data.toString('latin1');
  });
  socket.on('error', () => {});
  const end = new Promise<void>((done) => {
    socket.on('close', () => {
      heard.closed = true;
      done();
    });
  });
  for (const piece of pieces) socket.write(piece);
  return { socket, heard, end };
};

/** Sends the pieces one after the other, then listens until the other side closes or the time is over. */
export const speak = async (
  port: number,
  pieces: readonly (string | Buffer)[],
  { listenMs = 2_000 } = {},
): Promise<Heard> => {
  const { socket, heard, end } = hold(port, pieces);
  await Promise.race([end, sleep(listenMs)]);
  const { text, closed } = heard;
  socket.destroy();
  return { text, closed, statuses: [...text.matchAll(statusLine)].map(([, status]) => Number(status)) };
};

/** The head of a request that is right in everything the test does not say otherwise. */
export const head = (key: string, lines: readonly string[], { method = 'POST' } = {}): string =>
  [
    `${method} /users/track HTTP/1.1`,
    'Host: roster',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');
