/**
 * The driver waits for `drain` when a socket does not take a write at once. A closing socket never drains; it emits only
 * `close`, so the operation would wait for ever, with its transaction and all requests in it. Such a wait is ended at the close, and finds
 * the connection closed.
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

/** Stores of this process that are open: a socket of any of them has one listener. */
let open = 0;

/** For sockets opened from now on. Returns a function that ends it. */
export const wakeWritersOfClosedSockets = (): (() => void) => {
  announceTls();
  if (open++ === 0) subscribe(newSockets, wakeAtTheEnd);
  let isOpen = true;
  return () => {
    if (isOpen && --open === 0) unsubscribe(newSockets, wakeAtTheEnd);
    isOpen = false;
  };
};
