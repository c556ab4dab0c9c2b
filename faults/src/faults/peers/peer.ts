// The peers of all cases: each listens from the start, as settings name it, and takes part while its case is played.
import { createServer, type Socket } from 'node:net';
import { listening } from '@roster/testkit';
import type { Behave } from './behave.ts';
import type { Case } from './cases.ts';
import type { Names } from './names.ts';

export interface Peer {
  at: string;
  /** Connections that were taken, or questions about its names. */
  touched(): number;
  begin(): void;
  /** Ends what is open, and takes nothing more. */
  end(): void;
  close(): void;
}

const openServer = async (behave: Behave): Promise<Peer> => {
  const sockets = new Set<Socket>();
  let [isOn, touched] = [false, 0];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (!isOn) return socket.destroy();
    touched += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
    behave(socket);
  });
  const { host } = new URL(await listening(server));
  const end = (): void => {
    isOn = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    at: host,
    touched: () => touched,
    begin() {
      isOn = true;
    },
    end,
    close() {
      end();
      server.close();
    },
  };
};

const inZone = (zone: string, names: Names): Peer => ({
  at: zone,
  touched: () => names.asked(zone),
  begin() {},
  end() {},
  close() {},
});

export const openPeer = async ({ peer }: Case, names: Names): Promise<Peer> =>
  'zone' in peer ? inZone(peer.zone, names) : openServer(peer.behave);
