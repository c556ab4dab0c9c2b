import type { QueueFamily } from '@roster/contract';

/** The names of all queues and of the other keys in Redis, except those of the serving copy (packages/access). The part in braces is the hash tag: one queue lies in one slot of a cluster. */
export interface QueueName {
  name: string;
  prefix: string;
  /** For workspaces that send more than their share. These queues have turns of their own, so that other workspaces do not wait. */
  heavy?: true;
}

/** The queues with one partition; `track` has as many as the deployment sets. All of them also have a heavy lane. */
const single = ['identity', 'subscription', 'export', 'scim', 'messaging', 'integrations'] as const;

const named = (name: string): QueueName => ({ name, prefix: `{roster:${name}}` });
const heavy = (name: string): QueueName => ({ ...named(name), heavy: true });
/** In the slot of its queue, because scripts read both. */
const heavyOf = (name: string): QueueName => ({ ...named(name), name: `${name}-heavy`, heavy: true });

const trackQueues = (partitions: number): QueueName[] => {
  const all = Array.from({ length: partitions }, (_, index) => index);
  return [
    ...all.map((index) => named(`track-${index}`)),
    ...all.map((index) => heavy(`track-heavy-${index}`)),
  ];
};

/** Scheduled jobs. Their queue is not among `allQueues`: its jobs are not requests, and no caller waits for them. */
export const schedules = ['retention', 'orphans', 'generations'] as const;

export type ScheduleName = (typeof schedules)[number];

export const scheduleOf = (name: ScheduleName): QueueName => ({ name, prefix: '{roster-schedule}' });

/** Jobs with times of their own: the schedulers of data integrations. */
export const timetable: QueueName = { name: 'integrations', prefix: '{roster-schedule}' };

export const queuesOf = (family: QueueFamily, partitions: number): QueueName[] =>
  family === 'track' ? trackQueues(partitions) : [named(family), heavyOf(family)];

export const deadQueue = named('dead');

export const allQueues = (partitions: number): QueueName[] => [
  ...queuesOf('track', partitions),
  ...single.flatMap((family) => queuesOf(family, 1)),
  deadQueue,
];

/** The queues with requests that may change a profile: a read or a sweep waits for these. */
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

/** How many partitions `track` has. */
export const partitionsKey = '{roster:partitions}';
export const stampKey = 'roster:stamp';
/** Whether a process of this service gets too little of the processors. */
export const starvedKey = (service: string): string => `{roster:starved}:${service}`;
/** Which secrets the processes of this service know: their dates. */
export const secretNoteKey = (service: string): string => `{roster:secrets}:${service}`;
export const securityKey = 'roster:security';
export const idempotencyKey = (digest: string): string => `roster:idem:${digest}`;
/** Bytes kept for the idempotency keys of a workspace that were made in a window of the clock. */
export const keptKey = (ws: string, window: number): string => `roster:kept:${ws}:${window}`;
export const replyKey = (mailbox: string): string => `roster:reply:${mailbox}`;
/** `window` numbers the windows of the clock; the bytes are counted for the workspace. */
export const limitKey = (ws: string, pool: string, window: number): string =>
  `roster:limit:${ws}:${pool}:${window}`;
