/** Entries about people whose deletion is accepted and not applied yet wait for it (docs/adr/order.md). */
import type { AcceptedRequest } from '@roster/contract';
import { type Deletions, noDeletions } from '@roster/profile';
import { nameDigest, type OldestOf, type Pending } from '@roster/queue';
import { knownSecrets, type Secrets } from '@roster/secrets';

export type PendingFor = (requests: readonly AcceptedRequest[]) => Promise<ReadonlyMap<string, Pending>>;

export const nonePending: PendingFor = async () => new Map();

type ByWorkspace = ReadonlyMap<string, Pending>;

const isAfter = (pending: ByWorkspace, { ws, at }: Pick<AcceptedRequest, 'ws' | 'at'>): boolean =>
  at > (pending.get(ws)?.oldest ?? Number.POSITIVE_INFINITY);

/** For the plan. `due`: requests that have waited long enough. */
export const deletionsIn = (pending: ByWorkspace, secrets: Secrets, due: ReadonlySet<string>): Deletions => {
  if (pending.size === 0) return noDeletions;
  const all = knownSecrets(secrets);
  const known = new Map<string, readonly string[]>();
  const digestsOf = (key: string): readonly string[] => {
    const digests = known.get(key) ?? all.map((secret) => nameDigest(secret, key));
    known.set(key, digests);
    return digests;
  };
  return {
    mayConcern: (origin) => !due.has(origin.id) && isAfter(pending, origin),
    isNamed(key, { ws }) {
      const names = pending.get(ws)?.names;
      return names !== undefined && digestsOf(key).some((digest) => names.has(digest));
    },
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
