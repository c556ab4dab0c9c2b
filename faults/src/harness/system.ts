// The whole system as a stranger runs it: one process for each part, on servers and data of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StackProcess, startStack } from '@roster/local-stack';
import { Redis } from 'ioredis';
import { type Client, createClient } from './client.ts';
import { liftLimits } from './lift-limits.ts';
import { type Db, openMongo } from './mongo.ts';
import { jobsInFlight } from './queue-state.ts';
import { until } from './wait.ts';
import { addWorkspace } from './workspace.ts';

export interface SystemOptions {
  /** Ingress and track unless said otherwise. */
  services?: string[];
  trackWorkers?: number;
  /** How many processes of any other service, by its name. */
  workers?: Record<string, number>;
  /** Another program for a service: the name of a script in mains/. */
  instead?: Record<string, string>;
  env?: Record<string, string>;
  maxmemory?: string;
  /** Where the data lies; a temporary directory otherwise. */
  dir?: string;
}

export interface Part {
  readonly pid: number;
  alive(): boolean;
  /** Ends it with this signal and waits until it is gone; gives its exit code, null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Starts it again where it was, on the same port and data, and waits until it is ready. */
  start(): Promise<void>;
}

export interface System {
  client: Client;
  redis: Redis;
  mongo: Db;
  dir: string;
  /** ingress, redis, mongod and the others by name. */
  part(name: string): Part;
  /** The names of the track workers. */
  workers: string[];
  /** The names of all processes of a service. */
  processesOf(service: string): string[];
  /** A caller of another workspace, which is made for it. */
  newWorkspace(id: string): Promise<Client>;
  /** True once nothing is queued or at work. */
  quiet(ms: number): Promise<boolean>;
  stop(): Promise<void>;
}

const mainScript = (name: string): string =>
  fileURLToPath(new URL(`../../bundle/${name}.js`, import.meta.url));

const stackOptions = (options: SystemOptions, dir: string) => ({
  dir,
  services: options.services ?? ['ingress', 'track'],
  trackWorkers: options.trackWorkers ?? 1,
  ...(options.workers && { workers: options.workers }),
  env: { LOG_LEVEL: 'warn', ...options.env },
  entry: Object.fromEntries(
    Object.entries(options.instead ?? {}).map(([name, script]) => [name, mainScript(script)]),
  ),
  say: () => {},
  ...(options.maxmemory && { redis: { maxmemory: options.maxmemory } }),
});

const partOf = (found: StackProcess): Part => ({
  get pid() {
    return found.pid;
  },
  alive: () => found.isRunning(),
  async end(signal) {
    const { exited } = found;
    await found.kill(signal);
    return (await exited).code;
  },
  start: () => found.restart(),
});

export const startSystem = async (options: SystemOptions = {}): Promise<System> => {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'roster-fault-'));
  const removeData = () => {
    if (!options.dir) rmSync(dir, { recursive: true, force: true });
  };
  const stack = await startStack(stackOptions(options, dir)).catch((error) => {
    removeData();
    throw error;
  });
  const redis = new Redis(stack.redisUrl, { maxRetriesPerRequest: null, retryStrategy: () => 100 });
  redis.on('error', () => {});
  const mongo = await openMongo(stack.mongoUrl);
  const client = createClient(stack);
  await liftLimits(redis, mongo.db, stack.workspace);

  const part = (name: string): Part => {
    const found = stack.processes[name];
    if (!found) throw new Error(`there is no ${name} among ${Object.keys(stack.processes).join(', ')}`);
    return partOf(found);
  };
  const processesOf = (service: string): string[] =>
    Object.keys(stack.processes).filter((name) => name === service || name.startsWith(`${service}-`));
  const others: Client[] = [];
  const newWorkspace = async (id: string): Promise<Client> => {
    const other = createClient({ baseUrl: stack.baseUrl, apiKey: await addWorkspace(stack, id) });
    others.push(other);
    await liftLimits(redis, mongo.db, id);
    return other;
  };
  const stop = async () => {
    for (const each of [client, ...others]) each.close();
    redis.disconnect();
    await mongo.close();
    await stack.stop();
    removeData();
  };
  return {
    client,
    redis,
    mongo: mongo.db,
    dir,
    part,
    newWorkspace,
    workers: processesOf('track'),
    processesOf,
    quiet: async (ms) => (await until(ms, async () => (await jobsInFlight(redis)) === 0, 100)) !== undefined,
    stop,
  };
};
