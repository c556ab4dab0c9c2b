/** For tests. */
import type { Submission } from './produce/producer.ts';
import { type BatchWorkerOptions, createBatchWorker } from './work/worker.ts';

/** Notes the ids of what it applies. */
export const workInto = (
  applied: string[],
  options: Pick<BatchWorkerOptions, 'url' | 'queues' | 'waitReplicas'>,
) =>
  createBatchWorker({
    limits: { requests: 100, entries: 1000, bytes: 1_000_000 },
    isKnown: () => true,
    async apply(requests) {
      applied.push(...requests.map(({ id }) => id));
      return requests.map(({ id }) => ({ status: 200, body: id }));
    },
    classify: () => 'permanent',
    dead: async () => ({ status: 500, body: '' }),
    ...options,
  });

/** A request of track that can be committed. */
export const aSubmission = (more: Partial<Submission> = {}): Submission => ({
  ws: 'w',
  op: 'users.track',
  family: 'track',
  content: {},
  body: Buffer.from('{}'),
  entries: 1,
  waitMs: 0,
  ...more,
});
