/** For tests: servers on this machine. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Readable } from 'node:stream';
import { type Connections, openConnections } from './connections.ts';

export const bytesOf = async (body: Readable): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

export const textOf = async (body: Readable): Promise<string> => (await bytesOf(body)).toString();

/** Its address, once it listens. */
export const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

export const openServer = async (listener: RequestListener) => {
  const server = createServer(listener);
  return {
    origin: await listening(server),
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** For the tests of a file. */
export const useConnections = (): Connections => {
  const connections = openConnections();
  afterAll(() => connections.close());
  return connections;
};
