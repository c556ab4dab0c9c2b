/** Every name of the queues and of what goes with them, in one place; the serving copy has its own (packages/access). What stands in braces is the hash tag: one queue, one slot of a cluster. */
export interface QueueName {
  name: string;
  prefix: string;
  /** For workspaces that send more than their share: worked off beside the others, so that nobody waits behind them. */
  heavy?: true;
}

/** The queues with one partition; `track` has as many as the deployment asks for. `track` and `scim` have as many again for those who send more than their share. */
const single = ['identity', 'subscription', 'export', 'scim', 'dead'] as const;

export type QueueFamily = 'track' | (typeof single)[number];

const named = (name: string): QueueName => ({ name, prefix: `{roster:${name}}` });
const heavy = (name: string): QueueName => ({ ...named(name), heavy: true });

const trackQueues = (partitions: number): QueueName[] => {
  const all = Array.from({ length: partitions }, (_, index) => index);
  return [
    ...all.map((index) => named(`track-${index}`)),
    ...all.map((index) => heavy(`track-heavy-${index}`)),
  ];
};

/** What is done from time to time. Not among all queues: what lies there is no request, and nobody waits for it. */
export const schedules = ['retention', 'orphans'] as const;

export type ScheduleName = (typeof schedules)[number];

export const scheduleOf = (name: ScheduleName): QueueName => ({ name, prefix: '{roster-schedule}' });

export const queuesOf = (family: QueueFamily, partitions: number): QueueName[] => {
  if (family === 'track') return trackQueues(partitions);
  return family === 'scim' ? [named('scim'), heavy('scim-heavy')] : [named(family)];
};

export const allQueues = (partitions: number): QueueName[] => [
  ...queuesOf('track', partitions),
  ...single.flatMap((family) => queuesOf(family, 1)),
];

/** Those whose requests may change a profile: what a read or a sweep waits for. */
export const profileQueues = (partitions: number): QueueName[] => [
  ...queuesOf('track', partitions),
  ...queuesOf('identity', 1),
  ...queuesOf('subscription', 1),
];

/** A key of BullMQ's own for this queue, as its scripts name it. */
export const queueKey = ({ name, prefix }: QueueName, part: string): string => `${prefix}:${name}:${part}`;

/** Of a workspace, in the slot of the identity queue: its deletions that are not applied yet, and the names in its identity requests. */
export const deletionsKey = (ws: string): string => `{roster:identity}:deletions:${ws}`;
export const namedKey = (ws: string): string => `{roster:identity}:named:${ws}`;

export const stampKey = 'roster:stamp';
export const securityKey = 'roster:security';
export const idempotencyKey = (digest: string): string => `roster:idem:${digest}`;
/** Bytes kept for the idempotency keys of a workspace that were made in a window of the clock. */
export const keptKey = (ws: string, window: number): string => `roster:kept:${ws}:${window}`;
export const replyKey = (address: string): string => `roster:reply:${address}`;
/** `window` numbers the windows of the clock; what is counted is the workspace's pool. */
export const limitKey = (ws: string, pool: string, window: number): string =>
  `roster:limit:${ws}:${pool}:${window}`;
