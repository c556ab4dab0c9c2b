import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

const tryPort = async (port: number, host = '127.0.0.1'): Promise<number | undefined> => {
  const server = createServer();
  const listening = once(server, 'listening').then(() => (server.address() as AddressInfo).port);
  server.listen(port, host);
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

/** A port of loopback that nobody uses just now, and that nobody is given by chance. */
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

/** The usual one, or the next above it that nobody uses. */
const nextFreePort = async (usual: number): Promise<number> => {
  for (let port = usual; port < usual + mostTries; port++)
    if (!given.has(port) && (await isFree(port, process.env.HOST))) {
      given.add(port);
      return port;
    }
  return anyFreePort();
};

/** A free port: the one of last time if nobody took it, so that addresses stay the same between two starts. */
export const freePort = async (file: string, usual?: number): Promise<number> => {
  const last = noted(file);
  const port =
    (last && (await tryPort(last, process.env.HOST))) ||
    (await (usual ? nextFreePort(usual) : anyFreePort()));
  writeFileSync(file, String(port), { mode: 0o600 });
  return port;
};

const isFree = async (port: number, host?: string): Promise<boolean> =>
  (await tryPort(port, host)) !== undefined;

/** Throws when another program listens there. `variable`: the one that chooses the port. */
export const assertFree = async (variable: string, port: number): Promise<void> => {
  if (port === 0 || (await isFree(port, process.env.HOST))) return;
  throw new Error(
    `Port ${port} is in use by another program. Stop that program, or choose another port: ${variable}=${port + 1}. ${variable}=0 takes any free one.`,
  );
};
