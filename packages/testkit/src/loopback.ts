/** What the servers of providers have in common that tests play. */
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
