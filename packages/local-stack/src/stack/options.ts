import type { Say } from '../find/search.ts';
import type { MongoOptions } from '../servers/mongo.ts';
import type { RedisOptions } from '../servers/redis.ts';

type External = { url?: string };

export interface StackOptions {
  /** Where its data, logs and secrets are kept. */
  dir: string;
  /** Which services; all of them unless said otherwise. */
  services?: readonly string[];
  /** How many processes of track: track, track-2, ... */
  trackWorkers?: number;
  /** How many processes of any service, by its name; one unless said otherwise. */
  workers?: Readonly<Record<string, number>>;
  /** Of the ingress; 0 or nothing: any free one. */
  port?: number;
  /** Of the monitor and the pages; 0 or nothing: the one of last time, else a free one. */
  monitorPort?: number;
  pagesPort?: number;
  /** The free one is the usual one (3000, 8090) or the next above it. */
  usualPorts?: boolean;
  /** A server with a `url` is only used; without one it is started. */
  redis?: External & Omit<RedisOptions, 'dir' | 'say'>;
  mongo?: External & Omit<MongoOptions, 'dir' | 'say'>;
  /** The pepper; made and kept otherwise. */
  secret?: string;
  /** Environment of every service. */
  env?: Record<string, string>;
  /** Environment of one process, by its name. */
  processEnv?: Record<string, Record<string, string>>;
  /** Another script for a process or for all of a service, by name. */
  entry?: Record<string, string>;
  /** More processes, by name: they get the environment of a service and tell the same way that they are ready. */
  extra?: Record<string, { script: string; env?: Record<string, string> }>;
  /** Whether processes that die are started again by themselves. */
  supervise?: boolean;
  /** Another script for several commands of `roster`. */
  cli?: string;
  /** Its abort gives up a start that is under way: what is up is taken down, and the start fails with its reason. */
  signal?: AbortSignal;
  say?: Say;
  /** Is told of each step of the start. */
  progress?: Say;
}

export interface ProcessPlan {
  name: string;
  service: string;
  script?: string;
  env: Record<string, string>;
}

export const services = [
  'ingress',
  'track',
  'identity',
  'subscription',
  'export',
  'scim',
  'messaging',
  'pages',
  'sender',
  'integrations',
  'monitor',
] as const;

const namesOf = (service: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => (i === 0 ? service : `${service}-${i + 1}`));

/** Every process of the stack besides the servers, in the order in which they are stopped. */
export const plan = (options: StackOptions): ProcessPlan[] => {
  const { entry = {}, processEnv = {}, extra = {}, trackWorkers = 1 } = options;
  const workers: Readonly<Record<string, number>> = { track: trackWorkers, ...options.workers };
  const ours = (options.services ?? services).flatMap((service) =>
    namesOf(service, workers[service] ?? 1).map((name): ProcessPlan => {
      const script = entry[name] ?? entry[service];
      return { name, service, env: processEnv[name] ?? {}, ...(script && { script }) };
    }),
  );
  const more = Object.entries(extra).map(([name, one]) => ({ env: {}, ...one, name, service: name }));
  return [...ours, ...more];
};
