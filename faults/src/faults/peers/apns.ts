// Servers of HTTP/2, as APNs is one, that misbehave: RFC 9113, frame by frame.
import { type Behave, drip, flood, inTurn, last, onceAsked, silent } from './behave.ts';

const kinds = { data: 0, headers: 1, rst: 3, settings: 4, ping: 6, goaway: 7, window: 8, continuation: 9 };

interface Frame {
  kind: keyof typeof kinds;
  flags?: number;
  stream?: number;
  payload?: Buffer;
  /** Other than that of the payload. */
  length?: number;
}

const frame = ({ kind, flags = 0, stream = 0, payload = Buffer.alloc(0), length }: Frame): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length ?? payload.length, 0, 3);
  head.writeUInt8(kinds[kind], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

const int32 = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * at);
  return bytes;
};

/** Its own settings, and that it has seen those of the client. */
const hello = Buffer.concat([frame({ kind: 'settings' }), frame({ kind: 'settings', flags: 1 })]);

/** `:status: 200`, the eighth entry of the static table of HPACK. */
const status200 = Buffer.from([0x88]);
const [endStream, endHeaders] = [1, 4];
const answer = (flags: number, stream = 1): Buffer =>
  frame({ kind: 'headers', flags, stream, payload: status200 });

const after = (first: readonly Buffer[], piece: Buffer): Behave =>
  onceAsked((socket) => {
    socket.write(Buffer.concat([hello, ...first]));
    flood(socket, piece);
  });

const says = (...frames: readonly Buffer[]): Behave =>
  onceAsked((socket) => void socket.write(Buffer.concat([hello, ...frames])));

/** A request has come: the second piece that the client sends, or a later one. */
const toRequests =
  (frames: (stream: number) => Buffer): Behave =>
  (socket) => {
    let stream = 1;
    socket.once('data', () => {
      socket.write(hello);
      socket.on('data', () => {
        socket.write(frames(stream));
        stream += 2;
      });
    });
  };

export const apns = {
  silent: inTurn(silent, says()),
  endless: inTurn(
    after([], frame({ kind: 'ping', payload: Buffer.alloc(8) })),
    after([], frame({ kind: 'settings' })),
    after([answer(0)], frame({ kind: 'continuation', stream: 1, payload: Buffer.alloc(1_000, 0x88) })),
    toRequests((stream) =>
      Buffer.concat([
        answer(endHeaders, stream),
        ...Array.from({ length: 3 }, () => frame({ kind: 'data', stream, payload: Buffer.alloc(16_384) })),
      ]),
    ),
    after([], frame({ kind: 'data', stream: 1, payload: Buffer.alloc(16_384) })),
  ),
  slow: onceAsked((socket) => drip(socket, Buffer.concat([hello, answer(endHeaders)]))),
  lying: inTurn(
    last('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
    says(frame({ kind: 'data', stream: 1, length: 0xffffff })),
    says(frame({ kind: 'goaway', payload: int32(0x7fffffff, 0) })),
    says(frame({ kind: 'settings', payload: Buffer.from([0, 3, 0, 0, 0, 0]) })),
    says(frame({ kind: 'window', payload: int32(0x7fffffff) })),
    says(frame({ kind: 'headers', flags: endHeaders, stream: 1, payload: Buffer.alloc(20, 0xff) })),
    says(answer(endHeaders | endStream, 99)),
    toRequests((stream) => frame({ kind: 'rst', stream, payload: int32(7) })),
    toRequests((stream) => answer(endHeaders | endStream, stream)),
    toRequests((stream) => Buffer.concat([answer(endHeaders, stream), answer(endHeaders, stream)])),
  ),
} as const satisfies Record<string, Behave>;
