// The name under which services know a server: a port on loopback. The machine behind it can vanish without a word, and the name
// can be given to another one.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Name {
  port: number;
  /** From now on nothing passes, on old and new connections. They stay open: neither side is told. */
  vanish(): void;
  /** New connections lead to this port. Those from before stay silent. */
  moveTo(port: number): void;
  close(): void;
}

const hush = (socket: Socket): void => {
  socket.unpipe();
  socket.removeAllListeners('close').resume();
};

const join = (near: Socket, far: Socket): void => {
  near.pipe(far).pipe(near);
  near.on('close', () => far.destroy());
  far.on('close', () => near.destroy());
};

export const openName = async (first: number): Promise<Name> => {
  let target: number | undefined = first;
  const sockets = new Set<Socket>();
  const carry = (near: Socket): void => {
    const ends = target === undefined ? [near] : [near, connect(target, '127.0.0.1')];
    for (const socket of ends) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    const [, far] = ends;
    if (far) join(near, far);
    else hush(near);
  };
  const listener = createServer({ noDelay: true }, carry).listen(0, '127.0.0.1');
  await new Promise((listening) => listener.once('listening', listening));
  return {
    port: (listener.address() as AddressInfo).port,
    vanish() {
      target = undefined;
      for (const socket of sockets) hush(socket);
    },
    moveTo(port) {
      target = port;
    },
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
