/**
 * The driver waits for `drain` when a socket does not take a write at once. A socket that is about to close never drains, and says so with
 * `close` only: the operation would wait for ever, with its transaction and all requests in it. Whoever waits is woken at the end, and sees
 * that the connection is closed.
 */
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import tls from 'node:tls';

const newSockets = 'net.client.socket';

const wakeAtTheEnd = (message: unknown): void => {
  const { socket } = message as { socket: Socket };
  socket.once('close', () => socket.emit('drain'));
};

const announcing = Symbol.for('roster.tls-sockets-are-announced');

/** Node announces sockets without TLS only. */
const announceTls = (): void => {
  const { connect } = tls;
  if (announcing in connect) return;
  const announced = (...args: Parameters<typeof connect>): tls.TLSSocket => {
    const socket = connect(...args);
    channel(newSockets).publish({ socket });
    return socket;
  };
  tls.connect = Object.assign(announced as typeof connect, { [announcing]: true });
};

/** Of sockets that are opened from here on. Gives what ends it. */
export const wakeWritersOfClosedSockets = (): (() => void) => {
  announceTls();
  subscribe(newSockets, wakeAtTheEnd);
  return () => void unsubscribe(newSockets, wakeAtTheEnd);
};
