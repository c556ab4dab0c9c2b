/** The whole system as it runs, and the file that tells programs where it is. */
import { writePrivate } from '../servers/private-file.ts';
import type { Home } from './home.ts';
import type { StackProcess } from './part.ts';

/** The whole system as it runs: where each server is, and how all of it ends. */
export interface Stack {
  readonly dir: string;
  readonly baseUrl: string;
  readonly monitorUrl: string;
  /** Opens the outbox while the board asks for no sign-in. */
  readonly outboxToken: string;
  readonly pagesUrl: string;
  /** Where services read credentials and files anew. */
  readonly credentialsDir: string;
  readonly filesDir: string;
  readonly apiKey: string;
  readonly workspace: string;
  readonly scimToken: string;
  readonly scimOrigin: string;
  readonly appId: string;
  readonly emailGroup: string;
  readonly smsGroup: string;
  readonly redisUrl: string;
  readonly mongoUrl: string;
  readonly secret: string;
  /** By name: redis, mongod, ingress, track, track-2, ... */
  readonly processes: Readonly<Record<string, StackProcess>>;
  stop(): Promise<void>;
}

/** `local.json`: where the stack is, for programs and for `roster`. What is not there has no key, and secrets have a file of their own. */
export const writeLocal = (
  home: Home,
  { dir: _dir, secret: _secret, processes, stop: _stop, ...told }: Stack,
): void => {
  const present = Object.entries(told).filter(([, value]) => value !== '');
  const pids = Object.entries(processes).map(([name, { pid }]) => [name, pid]);
  const local = { ...Object.fromEntries(present), pids: Object.fromEntries(pids) };
  writePrivate(home.file('local.json'), `${JSON.stringify(local, null, 2)}\n`);
};
