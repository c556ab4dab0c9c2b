import type { AcceptedRequest, OperationId, QueueFamily } from '@roster/contract';
import type { Secrets } from '@roster/secrets';
import type { Redis } from 'ioredis';
import { commandTimeoutMs, openConnection } from '../connection.ts';
import { queuesOf } from '../names.ts';
import { namesOf } from '../order/deletions.ts';
import { createPartitions, growingTrack, type Partitions, type Queues } from '../partitions.ts';
import { type Mailbox, openMailbox } from '../reply/mailbox.ts';
import type { Reply, TakeRoom } from '../reply/pieces.ts';
import { requestId } from '../request-id.ts';
import { Unavailable, within } from '../unavailable.ts';
import { createEnqueue, type Enqueue, type EnqueueOptions } from './enqueue.ts';
import { createGathering } from './gather.ts';
import { createIdempotency, idempotencyDigest, type StoredAnswer } from './idempotency.ts';
import { takeStamps } from './stamp.ts';

/** A judged request that is ready to be committed. */
export interface Submission {
  ws: string;
  op: OperationId;
  family: QueueFamily;
  content: Pick<
    AcceptedRequest,
    'params' | 'query' | 'headers' | 'by' | 'from' | 'exact' | 'needs' | 'again'
  >;
  /** The body as the bytes of its JSON; empty when there is none. */
  body: Buffer;
  entries: number;
  /** Only for an operation that changes identity: the identity keys of the people that it names, and whether it deletes them. */
  people?: { keys: readonly string[]; deletes: boolean };
  /** With an idempotency key: the key and the fingerprint of the body that came with it. */
  idempotency?: { key: string; fingerprint: string };
  /** How long the caller wants to wait for the worker's reply; 0 does not ask for one. */
  waitMs: number;
  /** Reserves room for a long reply, piece by piece as it arrives. Without room the reply is refused. */
  takeRoom?: TakeRoom;
}

export type Commit =
  /** On disk in Redis. */
  | {
      state: 'queued';
      id: string;
      at: number;
      reply: Promise<Reply | undefined>;
      /** The answer to the first request under the same idempotency key. */
      first?: StoredAnswer;
      remember(answer: StoredAnswer): void;
    }
  /** Seen before under the same idempotency key. */
  | { state: 'replayed'; id: string; answer: StoredAnswer }
  | { state: 'conflict'; id: string }
  /** The workspace has no room for one more idempotency key. */
  | { state: 'full'; most: number };

export interface ProducerOptions {
  url: string;
  secret: Secrets;
  /** Of an installation that has no number of its own yet. */
  partitions: number;
  waitReplicas: number;
  idempotencyHours: number;
  /** The bytes that one workspace may use for idempotency keys; without it there is no bound. */
  mostKept?: () => number;
  /** Answers under idempotency keys are packed from this size on. Only a fault test sets it. */
  packFrom?: number;
  oneLane?: boolean;
  /** Its requests wait beside the requests of callers, not before them. */
  background?: boolean;
  /** Another clock than that of Redis, for the test that shows the effect. */
  takeStamps?: typeof takeStamps;
  onGroup?: EnqueueOptions['onGroup'];
}

const noReply = { reply: Promise.resolve(undefined), forget: () => {} };

const openFamilies = (
  connections: { redis: Redis; largeRedis: Redis },
  partitions: Partitions,
  { waitReplicas, oneLane, background, onGroup }: ProducerOptions,
) => {
  const queuesTo = (family: QueueFamily): Queues =>
    family === 'track' ? growingTrack(partitions) : queuesOf(family, 1);
  const settings = { ...connections, waitReplicas, oneLane, background, onGroup, backlogs: [] };
  const families = new Map<QueueFamily, ReturnType<typeof createEnqueue>>();
  return {
    enqueueTo(family: QueueFamily): Enqueue {
      const known = families.get(family) ?? createEnqueue({ ...settings, queues: queuesTo(family) });
      families.set(family, known);
      return known.enqueue;
    },
    async close(): Promise<void> {
      await Promise.all([...families.values()].map((family) => family.close()));
    },
  };
};

/** Of a request. The id is made once: another secret would make another one of the same stamp. */
interface Identity {
  id: string;
  at: number;
}

interface Enqueuing {
  secret: Secrets;
  mailbox: Mailbox;
  enqueueTo(family: QueueFamily): Enqueue;
}

const createEnqueuing =
  ({ secret, mailbox, enqueueTo }: Enqueuing) =>
  async (submission: Submission, { id, at }: Identity) => {
    const { ws, op, family, content, body, entries, waitMs, takeRoom, people } = submission;
    const wanted = waitMs > 0 ? mailbox.expect(id, waitMs, takeRoom) : noReply;
    const request: Omit<AcceptedRequest, 'body'> = { id, ws, op, at, ...content };
    if (waitMs > 0) request.reply = mailbox.name;
    const naming = people && { names: namesOf(secret, people.keys), deletes: people.deletes };
    try {
      await enqueueTo(family)({ request, body, entries, ...(naming && { naming }) });
    } catch (error) {
      wanted.forget();
      throw error instanceof Unavailable ? error : new Unavailable(error);
    }
    return { id, at, reply: wanted.reply };
  };

interface Committing {
  secret: Secrets;
  mostKept(): number;
  idempotency: ReturnType<typeof createIdempotency>;
  enqueue: ReturnType<typeof createEnqueuing>;
}

/**
 * Commits a request with an idempotency key. A known key returns the answer of its first request. A caller who waits for the effect, which is
 * not kept, gets it from the worker; the worker drops the request itself.
 */
const createCommitOnce =
  ({ secret, mostKept, idempotency, enqueue }: Committing) =>
  async (
    submission: Submission,
    { key, fingerprint }: { key: string; fingerprint: string },
    fresh: Identity,
  ): Promise<Commit> => {
    const { ws, op } = submission;
    const claim = { ws, digest: idempotencyDigest(ws, op, key) };
    const known = await within(commandTimeoutMs, idempotency.claim(claim, { fingerprint, ...fresh }));
    if (known === 'full') return { state: 'full', most: mostKept() };
    const { at, id = requestId(secret, ws, at) } = known;
    if (known.fingerprint !== fingerprint) return { state: 'conflict', id };
    const { answer: first } = known;
    if (first && submission.waitMs === 0) return { state: 'replayed', id, answer: first };
    const repeated = { ...submission, content: { ...submission.content, again: fresh.at } };
    const queued = await enqueue(at === fresh.at ? submission : repeated, { id, at });
    if (first) return { state: 'queued', ...queued, first, remember: () => {} };
    const remember = (answer: StoredAnswer): void => {
      // If this write is lost, the next request with the same key is queued again, and the mark drops the copy.
      idempotency.answer(claim, known, answer).catch(() => {});
    };
    return { state: 'queued', ...queued, remember };
  };

/** From a judged request to a durable one. */
export const createProducer = (options: ProducerOptions) => {
  const { url, secret, idempotencyHours: hours, packFrom } = options;
  const mostKept = options.mostKept ?? (() => Number.MAX_SAFE_INTEGER);
  const redis: Redis = openConnection('producer', url);
  const largeRedis: Redis = openConnection('producer', url);
  const mailbox = openMailbox(url);
  const idempotency = createIdempotency({ redis, hours, most: mostKept, packFrom });

  const stamps = options.takeStamps ?? takeStamps;
  const stamp = createGathering<void, number>(async (items) => {
    const first = await within(commandTimeoutMs, stamps(redis, items.length));
    return items.map((_, index) => first + index);
  });

  const partitions = createPartitions(redis, options.partitions);
  partitions.keepAsking();
  const families = openFamilies({ redis, largeRedis }, partitions, options);
  const enqueue = createEnqueuing({ secret, mailbox, enqueueTo: families.enqueueTo });
  const commitOnce = createCommitOnce({ secret, mostKept, idempotency, enqueue });

  return {
    redis,
    partitions,
    connections: [redis, largeRedis],
    async commit(submission: Submission): Promise<Commit> {
      if (redis.status !== 'ready') throw new Unavailable(`Redis connection is ${redis.status}`);
      const at = await stamp();
      const fresh = { id: requestId(secret, submission.ws, at), at };
      if (submission.idempotency) return commitOnce(submission, submission.idempotency, fresh);
      return { state: 'queued', ...(await enqueue(submission, fresh)), remember: () => {} };
    },
    /** Uses a saved stamp and id: however often the request is sent, it is applied once. */
    async commitAs(submission: Submission, saved: Identity): Promise<void> {
      if (redis.status !== 'ready') throw new Unavailable(`Redis connection is ${redis.status}`);
      await enqueue(submission, saved);
    },
    letGo: mailbox.letGo,
    async close(): Promise<void> {
      partitions.close();
      await families.close();
      await mailbox.close();
      redis.disconnect();
      largeRedis.disconnect();
    },
  };
};

export type Producer = ReturnType<typeof createProducer>;
