/** What the operations on identity have in common. */
import { count } from '../../shape.ts';
import { refusedEntries, successAnswer } from '../answers.ts';

/** One row's worth of what is the same for all of them. */
export const identityRow = {
  method: 'POST',
  tag: 'Identity',
  kind: 'write',
  queue: 'identity',
  notice: 'named',
  bodyLimit: 4 * 1024 * 1024,
  /** One pool for five of them; renames and removals have their own. */
  limit: { pool: 'users.identity', requests: 20_000, seconds: 60 },
  // At most 50 in each list, as their schemas say, whatever a workspace allows for tracking.
  mostEntries: () => Number.POSITIVE_INFINITY,
} as const;

/** Of those that are answered with the result, which is all but the merge. */
export const resultRow = { ...identityRow, answer: 'result', success: 201, mayBeEmpty: true } as const;

export const order =
  'Takes effect after every `/users/track` request that was accepted before it, and has taken effect when it is answered. ';

export const aliasAnswer = successAnswer('AliasAnswer', 'The accepted entries have been applied.', {
  aliases_processed: count('Accepted entries. `GET /requests/{id}` tells what became of each.'),
  errors: refusedEntries,
});
