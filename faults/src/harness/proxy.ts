// A TCP proxy that cuts the line after so many bytes towards the server, wherever that falls.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sleep } from './wait.ts';

/** `budget` says, for each new connection, after how many bytes it is cut. */
export const openProxy = async (target: { host: string; port: number }, budget: () => number) => {
  let cuts = 0;
  let isSilent = false;
  const open = new Set<Socket>();
  const hold = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (isSilent) socket.pause();
  };
  /** Nothing gets through for so long, and no line breaks. */
  const silence = async (ms: number): Promise<void> => {
    isSilent = true;
    for (const socket of open) socket.pause();
    await sleep(ms);
    isSilent = false;
    for (const socket of open) socket.resume();
  };
  const carry = (client: Socket): void => {
    const server = connect(target);
    let left = budget();
    const cut = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', cut).on('close', cut);
    server.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes: Buffer) => {
      if (bytes.length < left) {
        left -= bytes.length;
        server.write(bytes);
        return;
      }
      cuts++;
      client.destroy();
      server.end(bytes.subarray(0, left));
    });
    for (const socket of [client, server]) hold(socket);
  };
  const listener = createServer({ noDelay: true }, carry).listen(0, '127.0.0.1');
  await new Promise((listening) => listener.once('listening', listening));
  return {
    port: (listener.address() as AddressInfo).port,
    cuts: () => cuts,
    silence,
    close: (): void => void listener.close(),
  };
};
