/** Lingering close: after an early answer the rest of the request is read and thrown away, so that no reset destroys the answer (docs/adr/ingress.md). */
import type { Socket } from 'node:net';

const mebibyte = 1024 * 1024;

export const lingerBounds = {
  /** Bytes that one connection may still send. */
  bytes: 16 * mebibyte,
  /** A caller who sends nothing for this long is cut off. */
  silenceMs: 3_000,
  /** Time for one connection: this much, and a second for each `slowest` bytes that are expected. */
  baseMs: 4_000,
  slowest: mebibyte,
  /** Connections at once; one more cuts off the oldest. */
  connections: 1_000,
  /** Bytes a second of all of them together. */
  rate: 256 * mebibyte,
};

type LingerBounds = typeof lingerBounds;

export interface Linger {
  /** Ends our side of the connection, and takes what the caller still sends: about so many bytes. */
  (socket: Socket, expected: number): void;
  has(socket: Socket): boolean;
  size(): number;
  /** Cuts off all of them. */
  cut(): void;
}

interface Lingering {
  socket: Socket;
  left: number;
  until: number;
  heardAt: number;
}

const tickMs = 50;
/** Node reads at most this much at once. */
const chunk = 64 * 1024;

/**
 * From here on the bytes bypass the HTTP parser. An unread body has made the parser stop reading without the stream knowing; the empty
 * push tells the stream.
 */
const detachParser = (socket: Socket, onBytes: (bytes: Buffer) => void): void => {
  socket.removeAllListeners('data').on('data', onBytes);
  socket.removeAllListeners('end').on('end', () => socket.destroy());
  socket.push('');
  socket.resume();
};

const isSilent = (one: Lingering, now: number, { silenceMs }: LingerBounds): boolean =>
  now - one.heardAt > silenceMs;

/** Resumes paused sockets, as many as may read at most so many bytes in a turn. */
const goOn = (paused: Set<Lingering>, bytes: number, now: number): void => {
  let turns = Math.ceil(bytes / chunk);
  for (const one of paused) {
    if (turns-- === 0) return;
    paused.delete(one);
    one.heardAt = now;
    one.socket.resume();
  }
};

const lingeringOf = (socket: Socket, expected: number, bounds: LingerBounds): Lingering => {
  const now = performance.now();
  const ms = bounds.baseMs + (Math.min(expected, bounds.bytes) / bounds.slowest) * 1000;
  return { socket, left: bounds.bytes, until: now + ms, heardAt: now };
};

/** One more connection cuts off the oldest. */
const makeRoom = (all: Map<Socket, Lingering>, connections: number): void => {
  for (const oldest of all.keys()) {
    if (all.size < connections) break;
    oldest.destroy();
    all.delete(oldest);
  }
};

export const createLinger = (bounds: LingerBounds = lingerBounds): Linger => {
  const all = new Map<Socket, Lingering>();
  /** These wait until there is an allowance again, the first first. */
  const paused = new Set<Lingering>();
  const perTick = (bounds.rate * tickMs) / 1000;
  let allowance = perTick;
  let timer: NodeJS.Timeout | undefined;

  const forget = (one: Lingering): void => {
    all.delete(one.socket);
    paused.delete(one);
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const tick = (): void => {
    const now = performance.now();
    // Bytes that were read beyond the allowance are taken from the next one.
    allowance = Math.min(perTick, allowance + perTick);
    for (const one of all.values())
      if (now > one.until || (!paused.has(one) && isSilent(one, now, bounds))) one.socket.destroy();
    if (allowance > 0) goOn(paused, perTick, now);
  };

  const take = (one: Lingering, length: number): void => {
    one.left -= length;
    if (one.left < 0) return void one.socket.destroy();
    one.heardAt = performance.now();
    allowance -= length;
    if (allowance > 0) return;
    one.socket.pause();
    paused.add(one);
  };

  const drain = (one: Lingering): void => {
    if (!one.socket.destroyed) detachParser(one.socket, ({ length }) => take(one, length));
  };

  const linger = (socket: Socket, expected: number): void => {
    if (socket.destroyed || all.has(socket)) return;
    makeRoom(all, bounds.connections);
    const one = lingeringOf(socket, expected, bounds);
    all.set(socket, one);
    timer ??= setInterval(tick, tickMs).unref();
    socket.once('close', () => forget(one));
    socket.end();
    // The HTTP parser is at work when a request is refused by its headers: it is taken off when it has done so.
    setImmediate(drain, one);
  };

  return Object.assign(linger, {
    has: (socket: Socket) => all.has(socket),
    size: () => all.size,
    cut: () => {
      for (const socket of all.keys()) socket.destroy();
    },
  });
};
