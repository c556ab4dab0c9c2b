import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

const tryPort = async (port: number): Promise<number | undefined> => {
  const server = createServer();
  const listening = once(server, 'listening').then(() => (server.address() as AddressInfo).port);
  server.listen(port, '127.0.0.1');
  try {
    return await listening;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
};

/** Systems give ports from 32768 up to outgoing connections. One from below is still free when a process starts again. */
const lasting = { from: 15_000, to: 32_000 };
const mostTries = 20;

/** Who asked for it may not listen yet. */
const given = new Set<number>();

/** A free port of loopback, outside of the range from which the system picks ports at random. */
export const anyFreePort = async (): Promise<number> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const port = lasting.from + Math.floor(Math.random() * (lasting.to - lasting.from));
    if (given.has(port)) continue;
    given.add(port);
    if (await tryPort(port)) return port;
  }
  const port = await tryPort(0);
  if (!port) throw new Error('there is no free port on 127.0.0.1');
  return port;
};

const noted = (file: string): number => {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
};

/** A free port: the one of the last start if it is still free, so that URLs stay the same. */
export const freePort = async (file: string): Promise<number> => {
  const last = noted(file);
  const port = (last && (await tryPort(last))) || (await anyFreePort());
  writeFileSync(file, String(port), { mode: 0o600 });
  return port;
};

export const isFree = async (port: number): Promise<boolean> => (await tryPort(port)) !== undefined;
