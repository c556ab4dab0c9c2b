/**
 * When a socket does not take a write at once, the driver waits for `drain`. A closing socket only emits `close`, so the operation would wait
 * for ever, with its transaction and its requests. This module ends such a wait when the socket closes; the driver then finds the connection
 * closed.
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

/** Node announces only sockets without TLS. */
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

/** The open stores of this process: a socket of any of them has one listener. */
let open = 0;

/** For sockets opened from now on. Returns a function that stops it. */
export const wakeWritersOfClosedSockets = (): (() => void) => {
  announceTls();
  if (open++ === 0) subscribe(newSockets, wakeAtTheEnd);
  let isOpen = true;
  return () => {
    if (isOpen && --open === 0) unsubscribe(newSockets, wakeAtTheEnd);
    isOpen = false;
  };
};
