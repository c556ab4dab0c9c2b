/** What the servers of providers have in common that tests play. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Readable } from 'node:stream';

export const bytesOf = async (body: Readable): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

export const textOf = async (body: Readable): Promise<string> => (await bytesOf(body)).toString();

export const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return urlOf(server);
};

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export const openServer = async (listener: Listener) => {
  const server = createServer((request, response) => void listener(request, response));
  return {
    url: await listening(server),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** A server for the tests of a file, which say how it answers. */
export const usePeer = (answer: Listener = (_, response) => response.end()) => {
  const peer = { url: '', answer };
  let close = async (): Promise<void> => {};
  beforeAll(async () => {
    ({ url: peer.url, close } = await openServer((request, response) => peer.answer(request, response)));
  });
  afterAll(() => close());
  return peer;
};
