// How a peer treats those who connect, whatever its protocol: silent, without end, a byte at a time, or in turn in several ways.
import type { Socket } from 'node:net';

export type Behave = (socket: Socket) => void;

/** What a peer says, over all of its connections: 100 MB in a second, as by a fast line. More would take the machine that the trial needs, too. */
const part = { bytes: 65_536, atOnce: 16, everyMs: 10 };
const byteEveryMs = 100;

export const silent: Behave = () => {};

/** Those that are written to in turn. */
const writing = new Map<Socket, Buffer>();

const writeSome = (): void => {
  for (const [socket, many] of [...writing].slice(0, part.atOnce)) {
    writing.delete(socket);
    if (!socket.destroyed) socket.write(many, () => writing.set(socket, many));
  }
};

/** Without end, as fast as the line and the other side take it. */
export const flood = (socket: Socket, piece: Buffer | string): void => {
  const one = Buffer.from(piece);
  writing.set(socket, Buffer.alloc(Math.ceil(part.bytes / one.length) * one.length, one));
};

setInterval(writeSome, part.everyMs).unref();

/** A byte at a time, and what was said last again and again. */
export const drip = (socket: Socket, text: Buffer | string): void => {
  const bytes = Buffer.from(text);
  let at = 0;
  const timer = setInterval(() => {
    socket.write(bytes.subarray(at, at + 1));
    at = (at + 1) % bytes.length;
  }, byteEveryMs);
  socket.on('close', () => clearInterval(timer));
};

/** Each connection is treated in another way. */
export const inTurn = (...all: readonly Behave[]): Behave => {
  let count = 0;
  return (socket) => {
    all[count % all.length]?.(socket);
    count += 1;
  };
};

/** As soon as something was asked, once. */
export const onceAsked =
  (answer: Behave): Behave =>
  (socket) => {
    socket.once('data', () => {
      answer(socket);
      socket.resume();
    });
  };

/** Whatever is asked, each time. */
export const always =
  (text: Buffer | string): Behave =>
  (socket) => {
    socket.on('data', () => socket.write(text));
  };

/** Says it and ends the connection. */
export const last =
  (text: Buffer | string): Behave =>
  (socket) =>
    void socket.end(text);
