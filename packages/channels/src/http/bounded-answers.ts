/**
 * A parser bounds the fields of an answer and we bound its text, but neither bounds a status line, answers before the real one, empty lines, or what
 * stands between the chunks. So bytes are counted where they are read.
 */
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** Much more than the head and the text that are read, as a socket reads ahead. */
const mostBytes = 262_144;

class TooMuch extends Error {
  readonly code = 'ERR_ANSWER_TOO_LARGE';
  constructor() {
    super(`the server sends more than ${mostBytes} bytes for one request`);
  }
}

/** A connection has one request at a time, and nothing is written without one: so its answer begins after what was written last. */
const boundAnswers = (socket: Socket): Socket => {
  const { read, write } = socket;
  let bytes = 0;
  return Object.assign(socket, {
    write(...args: unknown[]): boolean {
      bytes = 0;
      return Reflect.apply(write, socket, args);
    },
    read(size?: number): Buffer | null {
      const chunk: Buffer | null = Reflect.apply(read, socket, [size]);
      bytes += chunk?.length ?? 0;
      if (bytes > mostBytes) socket.destroy(new TooMuch());
      return chunk;
    },
  });
};

export const connectorWith = (options: buildConnector.BuildOptions): buildConnector.connector => {
  const connect = buildConnector({ allowH2: false, ...options });
  return (to, callback) =>
    connect(to, (...[error, socket]) => {
      if (error) callback(error, null);
      else callback(null, boundAnswers(socket) as typeof socket);
    });
};
