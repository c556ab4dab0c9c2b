/** For tests: a request of track that can be committed. */
import type { Submission } from './produce/producer.ts';

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
