/** How sources find hosts: a silent name server takes none of the threads that files and other look-ups of this process need. */
import { connect, type LookupFunction, Socket } from 'node:net';
import { openNames } from '@roster/names';

const names = openNames();

/** A host is looked up once at a time, and is held up by no other one. */
export const lookup: LookupFunction = (host, ...given) => names.lookupFor(host)(host, ...given);

/** For drivers that take a connection. */
export const connectTo = (host: string, port: number): Socket =>
  connect({ host, port, lookup, keepAlive: true, noDelay: true });

class SocketByName extends Socket {
  readonly connectByName = (port: number, host: string): this => super.connect({ port, host, lookup });
}

/** For drivers that connect a socket by host and port. */
export const openSocket = () => {
  const socket = new SocketByName();
  return Object.assign(socket, { connect: socket.connectByName });
};
