/** Entries about people whose deletion is accepted and not applied yet wait for it (docs/adr/order.md). */
import type { AcceptedRequest } from '@roster/contract';
import { type Deletions, noDeletions } from '@roster/profile';
import { nameDigest, type OldestOf, type Pending } from '@roster/queue';

export type PendingFor = (requests: readonly AcceptedRequest[]) => Promise<ReadonlyMap<string, Pending>>;

export const nonePending: PendingFor = async () => new Map();

type ByWorkspace = ReadonlyMap<string, Pending>;

const isAfter = (pending: ByWorkspace, { ws, at }: Pick<AcceptedRequest, 'ws' | 'at'>): boolean =>
  at > (pending.get(ws)?.oldest ?? Number.POSITIVE_INFINITY);

/** For the plan. `due`: requests that have waited long enough. */
export const deletionsIn = (pending: ByWorkspace, secret: string, due: ReadonlySet<string>): Deletions => {
  if (pending.size === 0) return noDeletions;
  const digests = new Map<string, string>();
  const digestOf = (key: string): string => {
    const digest = digests.get(key) ?? nameDigest(secret, key);
    digests.set(key, digest);
    return digest;
  };
  return {
    mayConcern: (origin) => !due.has(origin.id) && isAfter(pending, origin),
    isNamed: (key, { ws }) => pending.get(ws)?.names.has(digestOf(key)) === true,
  };
};

/**
 * Until every request accepted before a deletion by email or phone is applied, the deleted people are not known. Until then every later
 * request of the workspace waits.
 */
export const waitingForContacts = async (
  batch: readonly AcceptedRequest[],
  waitedEnough: ReadonlySet<string>,
  pending: ByWorkspace,
  oldestBeside: () => Promise<OldestOf>,
): Promise<string[]> => {
  const after = batch.filter(
    (one) => !waitedEnough.has(one.id) && pending.get(one.ws)?.byContact && isAfter(pending, one),
  );
  if (after.length === 0) return [];
  const oldest = await oldestBeside();
  return after.filter(({ ws }) => oldest(ws) < (pending.get(ws)?.oldest ?? 0)).map(({ id }) => id);
};
