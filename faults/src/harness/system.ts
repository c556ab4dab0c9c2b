// The whole system as a stranger runs it: one process for each part, on servers and data of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anyFreePort, memoryFolder, type StackProcess, startStack } from '@roster/local-stack';
import { openConnection } from '@roster/queue';
import { liftLimits } from '@roster/testkit';
import { type Client, createClient } from './client.ts';
import { liftCompanyLimits } from './company-limits.ts';
import { openMongo } from './mongo.ts';
import { type Preload, preloading } from './preload.ts';
import { jobsInFlight } from './queue-state.ts';
import { until } from './wait.ts';
import { addWorkspace, type Settings } from './workspace.ts';

type StackOptions = Parameters<typeof startStack>[0];

/** Unless said otherwise: ingress and track, in a temporary directory, and what dies stays so. */
export interface SystemOptions
  extends Partial<
    Pick<
      StackOptions,
      'services' | 'workers' | 'env' | 'processEnv' | 'supervise' | 'redis' | 'mongo' | 'dir'
    >
  > {
  /** A variant of a service: of the table of that service in mains/, with the name of the service before it. */
  instead?: Record<string, string>;
  /** A folder with the bundles of all processes, where it is not that of this version. */
  bundles?: string;
  /** What its clients call, where that is not the first ingress. */
  front?: string;
  /** Spoils every service in the same way: see preload.ts. */
  preload?: Preload;
  /** Workspaces keep the usual limits, which are lifted otherwise. */
  usualLimits?: boolean;
  /** The data lie in memory: for a trial that judges milliseconds of Roster, not of the disk. */
  inMemory?: boolean;
  /** No call of its clients gives up before. */
  leastPatienceMs?: number;
}

const scriptOfVariants = (service: string): string =>
  fileURLToPath(new URL(`../../bundle/${service}.js`, import.meta.url));

const servicesOf = ({ services = ['ingress', 'track'] }: SystemOptions) => services;

/** Where each service's first process tells its metrics. */
const adminPortsOf = async (options: SystemOptions): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(servicesOf(options).map(async (service) => [service, await anyFreePort()] as const)),
  );

const scraped = async (port: number | undefined): Promise<string | undefined> => {
  const signal = AbortSignal.timeout(2_000);
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal }).catch(() => undefined);
  return answer?.text().catch(() => undefined);
};

/** `ready`, or the reason why not. */
const verdictOf = async (port: number): Promise<string> => {
  const signal = AbortSignal.timeout(3_000);
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal });
  if (response.ok) return 'ready';
  const { reason = 'no reason' } = (await response.json()) as { reason?: string };
  return reason;
};

const verdictsOf = async (ports: Record<string, number>): Promise<Map<string, string>> => {
  const asked = Object.entries(ports).map(
    async ([name, port]) => [name, await verdictOf(port).catch(() => 'no answer')] as const,
  );
  return new Map(await Promise.all(asked));
};

const processEnvOf = ({ processEnv = {} }: SystemOptions, adminPorts: Record<string, number>) => {
  const all = { ...processEnv };
  for (const [name, port] of Object.entries(adminPorts))
    all[name] = { ADMIN_PORT: String(port), ...all[name] };
  return all;
};

const stackOptions = (
  {
    instead = {},
    bundles,
    front: ____,
    preload,
    usualLimits: _,
    inMemory: __,
    leastPatienceMs: ___,
    ...options
  }: SystemOptions,
  dir: string,
  adminPorts: Record<string, number>,
  port: number,
): StackOptions => ({
  ...options,
  dir,
  port,
  services: servicesOf(options),
  processEnv: processEnvOf(options, adminPorts),
  env: {
    LOG_LEVEL: 'warn',
    ROSTER_INSTEAD: Object.values(instead).join(','),
    ...(preload && preloading(preload)),
    ...options.env,
  },
  entry: {
    ...(bundles &&
      Object.fromEntries(servicesOf(options).map((name) => [name, join(bundles, `${name}.js`)]))),
    ...Object.fromEntries(Object.keys(instead).map((service) => [service, scriptOfVariants(service)])),
  },
  say: () => {},
});

const partOf = (found: StackProcess) => ({
  get pid() {
    return found.pid;
  },
  alive: () => found.isRunning(),
  /** Ends it with this signal and waits until it is gone; gives its exit code, null when the signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { exited } = found;
    await found.kill(signal);
    return (await exited).code;
  },
  /** Starts it again where it was, on the same port and data, and waits until it is ready. */
  start: () => found.restart(),
});

/** The stack, in a folder of its own that goes with it. */
const startIn = async (options: SystemOptions) => {
  const dir = options.dir ?? mkdtempSync(join(options.inMemory ? memoryFolder() : tmpdir(), 'roster-fault-'));
  const removeData = () => {
    if (!options.dir) rmSync(dir, { recursive: true, force: true });
  };
  const adminPorts = await adminPortsOf(options);
  const stack = await startStack(stackOptions(options, dir, adminPorts, await anyFreePort())).catch(
    (error) => {
      removeData();
      throw error;
    },
  );
  return { stack, dir, adminPorts, removeData };
};

export const startSystem = async (options: SystemOptions = {}) => {
  const { stack, dir, adminPorts, removeData } = await startIn(options);
  const redis = openConnection('patient', stack.redisUrl);
  const mongo = await openMongo(stack.mongoUrl);
  const { leastPatienceMs = 0, front: baseUrl = stack.baseUrl } = options;
  const client = createClient({ ...stack, baseUrl, leastPatienceMs });
  const lift = async (workspace: string) => {
    if (!options.usualLimits) await liftLimits(redis, mongo.db, workspace);
  };
  await lift(stack.workspace);
  if (!options.usualLimits && stack.scimToken !== '') await liftCompanyLimits(redis, 'demo');

  const part = (name: string) => {
    const found = stack.processes[name];
    if (!found) throw new Error(`there is no ${name} among ${Object.keys(stack.processes).join(', ')}`);
    return partOf(found);
  };
  const processesOf = (service: string): string[] =>
    Object.keys(stack.processes).filter((name) => name === service || name.startsWith(`${service}-`));
  const others: Client[] = [];
  const newWorkspace = async (id: string, settings?: Settings, permission?: string): Promise<Client> => {
    const apiKey = await addWorkspace(stack, id, settings, permission);
    const other = createClient({ baseUrl, apiKey, leastPatienceMs });
    others.push(other);
    await lift(id);
    return other;
  };
  const stop = async (): Promise<void> => {
    for (const each of [client, ...others]) each.close();
    redis.disconnect();
    await mongo.close();
    await stack.stop();
    removeData();
  };
  return {
    client,
    /** Of the caller. */
    workspace: stack.workspace,
    baseUrl,
    /** What stands in the headers of a caller: with the key of the demo workspace, and with the SCIM token of the demo company. */
    credentials: {
      key: { authorization: `Bearer ${stack.apiKey}` },
      scim: { authorization: `Bearer ${stack.scimToken}`, 'x-request-origin': stack.scimOrigin },
    },
    /** The metrics of a service's process; undefined when it does not answer within two seconds. */
    metrics: (name: string) => scraped(adminPorts[name]),
    /** What the first process of each service says of itself: `ready`, or the reason why not. */
    readiness: () => verdictsOf(adminPorts),
    redis,
    mongo: mongo.db,
    dir,
    /** ingress, redis, mongod and the others by name. */
    part,
    /** A caller of another workspace, which is made for it. */
    newWorkspace,
    /** The names of the track workers. */
    workers: processesOf('track'),
    /** The names of all processes of a service. */
    processesOf,
    /** Every process, the servers included. */
    parts: Object.keys(stack.processes),
    /** True once nothing is queued or at work. */
    quiet: async (ms: number) =>
      (await until(ms, async () => (await jobsInFlight(redis)) === 0, 100)) !== undefined,
    stop,
  };
};

export type System = Awaited<ReturnType<typeof startSystem>>;
