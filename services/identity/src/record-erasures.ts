/** Keeps applied deletions outside of MongoDB: see docs/adr/0054. */
import type { AcceptedRequest } from '@roster/contract';
import type { Erasures } from '@roster/queue';
import type { Store } from '@roster/store';
import { isDeletion } from './is-deletion.ts';

/**
 * Runs after the batch is applied and before it is answered. The sweeps stand in MongoDB until the job is finished, so a repeated job finds them
 * again.
 */
export const recordErasures = async (
  { sweeps }: Pick<Store, 'sweeps'>,
  erasures: Erasures,
  requests: readonly AcceptedRequest[],
): Promise<void> => {
  const deletions = new Map(requests.filter(isDeletion).map((request) => [request.at, request]));
  if (deletions.size === 0) return;
  const found = await sweeps.find({ accepted: { $in: [...deletions.keys()] } }).toArray();
  const profiles = new Map<AcceptedRequest, string[]>();
  for (const { accepted = 0, profiles: ids } of found) {
    const request = deletions.get(accepted);
    if (request) profiles.set(request, [...(profiles.get(request) ?? []), ...ids]);
  }
  await erasures.keep([...profiles].map(([{ id, ws }, ids]) => ({ id, ws, profiles: ids })));
};
