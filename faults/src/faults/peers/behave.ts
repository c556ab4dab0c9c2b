// How a peer treats those who connect, whatever its protocol: silent, without end, a byte at a time, or in turn in several ways.
import type { Socket } from 'node:net';

export type Behave = (socket: Socket) => void;

/** 6 MB in a second, for each connection: far more than anybody asked for, and not all of a machine that the trial needs, too. */
const part = { bytes: 65_536, everyMs: 10 };
const byteEveryMs = 100;

export const silent: Behave = () => {};

/** Without end, as fast as the other side takes it. */
export const flood = (socket: Socket, piece: Buffer | string): void => {
  const one = Buffer.from(piece);
  const many = Buffer.concat(Array.from({ length: Math.ceil(part.bytes / one.length) }, () => one));
  const go = (): void => {
    if (!socket.destroyed) socket.write(many, () => setTimeout(go, part.everyMs));
  };
  go();
};

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
