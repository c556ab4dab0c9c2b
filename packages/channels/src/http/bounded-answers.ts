/**
 * A parser bounds the fields of an answer and we bound its text, but neither bounds a status line, answers before the real one, empty lines, or what
 * stands between the chunks. So bytes are counted where they are read.
 */
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** The head and the text that are read. undici makes an error for each field over its own bound, as long as it has bytes: this one comes first. */
export const mostAnswerBytes = 32_768;

/** What the parser gets at once: it goes through all of it, also when the connection has ended. */
const pieceBytes = 16_384;

class TooMuch extends Error {
  readonly code = 'ERR_ANSWER_TOO_LARGE';
  constructor() {
    super(`the server sends more than ${mostAnswerBytes} bytes for one request`);
  }
}

/** Some servers say so of each body, unasked; the parser takes it for an error. */
const goOn = /^HTTP\/1\.[01] 100(?: [^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\n/;
const begins = ['HTTP/1.1 100', 'HTTP/1.0 100'];

/** A longer one is the parser's, which refuses it. */
const longestGoOn = 1_024;

/** Whether it may be the begin of such words, as far as it is there. */
const mayGoOn = (bytes: Buffer): boolean => {
  const text = bytes.toString('latin1', 0, 12);
  return bytes.length <= longestGoOn && begins.some((begin) => begin.startsWith(text));
};

/** What follows them. */
const withoutGoOn = (all: Buffer): Buffer => {
  let text = all.toString('latin1');
  for (let found = goOn.exec(text); found; found = goOn.exec(text)) text = text.slice(found[0].length);
  return all.subarray(all.length - text.length);
};

/** A connection has one request at a time, and nothing is written without one: so its answer begins after what was written last. */
const boundAnswers = (socket: Socket): Socket => {
  const { read, write } = socket;
  let bytes = 0;
  /** Of an answer whose first bytes do not tell yet what it is. */
  let begun: Buffer | undefined = Buffer.alloc(0);
  const known = (chunk: Buffer): Buffer | null => {
    if (!begun) return chunk;
    const all = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    const rest = begins.some((begin) => all.toString('latin1', 0, 12) === begin) ? withoutGoOn(all) : all;
    begun = mayGoOn(rest) ? rest : undefined;
    return begun ? null : rest;
  };
  return Object.assign(socket, {
    write(...args: unknown[]): boolean {
      bytes = 0;
      begun = Buffer.alloc(0);
      return Reflect.apply(write, socket, args);
    },
    read(size?: number): Buffer | null {
      // Who gets nothing waits until more comes: so the rest of what came is looked at before.
      for (;;) {
        const most = socket.readableLength > pieceBytes ? pieceBytes : size;
        const chunk: Buffer | null = Reflect.apply(read, socket, [most]);
        bytes += chunk?.length ?? 0;
        if (bytes > mostAnswerBytes) socket.destroy(new TooMuch());
        const piece = chunk && bytes <= mostAnswerBytes ? known(chunk) : null;
        if (piece || !chunk || socket.destroyed) return piece;
      }
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
