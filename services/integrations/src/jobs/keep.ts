/** What a job saves of its requests: each before it is sent, and again when its outcome is known. */
import type { JudgeRows } from '@roster/integrations';
import type { Session, Store, SyncChunkDocument, SyncJobDocument } from '@roster/store';
import { rowId } from '../reads.ts';
import { badEntry, keepBadRows } from './bad-rows.ts';
import type { BadRow, Collected } from './collector.ts';
import { writeKept } from './kept.ts';
import { type Lease, LeaseLost } from './lease.ts';
import { hashBytes, nameOf, type Seen } from './memory.ts';
import type { Settled } from './outcomes.ts';
import type { FailedEntry, Retries } from './retries.ts';
import type { SameRow } from './same-row.ts';

const chunkId = (integration: string, at: number): string => `${integration}/${at}`;

export interface Saving {
  collected: Collected;
  judged: ReturnType<JudgeRows>;
  at: number;
  /** Of the request. */
  id: string;
}

/** Those of the entries that are sent come first. */
const seenOf = ({ collected, judged: { accepted, refused } }: Saving): Seen[] => {
  const { rows, bad, still = [] } = collected;
  const places = [...accepted, ...refused.map(({ place }) => place)];
  return [...places.flatMap((place) => rows[place] ?? []), ...bad].map(({ seen }) => seen).concat(still);
};

const chunkOf = (
  { job }: Pick<Lease, 'job'>,
  saving: Saving,
  {
    replaced,
    isLogged,
    layout,
  }: { replaced: ReadonlySet<number>; isLogged: boolean; layout: string | undefined },
): SyncChunkDocument => {
  const { collected, judged, at, id } = saving;
  const { request, accepted } = judged;
  const all = seenOf(saving);
  const ids = all.flatMap(({ id }) => id ?? []);
  // A removal is not tried again.
  const isLast = (place: number): boolean => !replaced.has(place) && !collected.removal;
  const keys = accepted.map((place) => (isLast(place) ? collected.rows[place]?.seen.key : null));
  const names = accepted.map((place) => nameOf(collected.rows[place]?.seen));
  return {
    _id: chunkId(job.integration, at),
    ws: job.ws,
    integration: job.integration,
    job: job._id,
    at,
    state: request ? 'open' : 'done',
    ...((collected.again !== undefined || collected.kept) && { again: true as const }),
    ...(collected.removal && { removed: true as const }),
    ...(request && {
      request: id,
      op: request.op,
      body: request.body,
      keys: JSON.stringify(keys),
      ...(isLogged && { names: JSON.stringify(names) }),
      ...(request.exact && { exact: true as const }),
    }),
    entries: request?.entries ?? 0,
    to: JSON.stringify(collected.to),
    hashes: Buffer.concat(all.map(({ hash }) => hash)),
    ...(ids.length === all.length && { ids: Buffer.concat(ids) }),
    ...(layout !== undefined && { layout }),
  };
};

type Refused = Omit<FailedEntry, 'told'> & { reason: string; place: number };

const refusedOf = ({ collected, judged, at }: Saving): Refused[] =>
  judged.refused.flatMap(({ place, reason }) => {
    const row = collected.rows[place];
    return row ? [{ ...row, place, reason, at }] : [];
  });

const badIn = (
  collected: Collected,
  refused: ReturnType<typeof refusedOf>,
  { firstFailed }: Pick<Retries, 'firstFailed'>,
): BadRow[] => [
  ...collected.bad,
  ...refused.map(({ entry, reason, seen, updatedAt }) => ({
    ...badEntry(entry, reason),
    at: firstFailed(seen),
    ...(updatedAt !== undefined && { updatedAt }),
  })),
];

const hashAt = ({ hashes }: SyncChunkDocument, place: number): Buffer =>
  hashes.subarray(place * hashBytes, (place + 1) * hashBytes);

const failedOf = ({ chunk, bad, isDead }: Settled, toldAs: (index: number) => string): FailedEntry[] => {
  if (isDead || bad.length === 0) return [];
  const keys: (string | null)[] = JSON.parse(chunk.keys ?? '[]');
  return bad.flatMap(({ place, entry }, index) => {
    const { [place]: key = null } = keys;
    const seen = { hash: hashAt(chunk, place), key: key ?? '' };
    return key === null ? [] : [{ entry, seen, at: chunk.at, told: toldAs(index) }];
  });
};

const succeededOf = ({ chunk, bad }: Settled): Pick<Seen, 'hash'>[] => {
  const failed = new Set(bad.map(({ place }) => place));
  return Array.from({ length: chunk.entries }, (_, place) => place)
    .filter((place) => !failed.has(place))
    .map((place) => ({ hash: hashAt(chunk, place) }));
};

const progressOf = ({ again, to, unread }: Collected): Partial<SyncJobDocument> =>
  again === undefined
    ? {
        cursor: JSON.stringify(to),
        ...(to.updatedAt !== '' && { last: to.updatedAt }),
        ...(unread && { unread }),
      }
    : { again };

const openOf = (settled: readonly Settled[], again: boolean) => ({
  _id: { $in: settled.filter(({ chunk }) => (chunk.again ?? false) === again).map(({ chunk }) => chunk._id) },
  state: 'open' as const,
});

const done = {
  $set: { state: 'done' as const },
  $unset: { body: 1 as const, keys: 1 as const, names: 1 as const },
};

interface KeepOptions {
  retries: Retries;
  sameRow: SameRow;
  isLogged: boolean;
  /** How columns are mapped. */
  layout: string | undefined;
}

/** What failed again in this job before its row was read with other content: that counts instead. */
const createTakeBack =
  ({ syncs: { jobs, rows } }: Pick<Store, 'syncs'>, { job, mine }: Pick<Lease, 'job' | 'mine'>) =>
  async (told: readonly string[], session: Session): Promise<void> => {
    const own = told.filter((id) => id.startsWith(`${job._id}/`));
    if (own.length === 0) return;
    await jobs.updateOne(mine, { $inc: { failed: -own.length } }, { session });
    await rows.deleteMany({ _id: { $in: own } }, { session });
  };

/** Every transaction writes the job, and so fails when the job is somebody else's. */
export const createKeep = (
  store: Store,
  { job, mine }: Lease,
  { retries, sameRow, isLogged, layout }: KeepOptions,
) => {
  const { jobs, chunks } = store.syncs;
  const takeBack = createTakeBack(store, { job, mine });

  const count = async (change: object, session: Session): Promise<number> => {
    const before = await jobs.findOneAndUpdate(mine, change, { session, returnDocument: 'before' });
    if (!before) throw new LeaseLost();
    return before.rows;
  };

  const save = (saving: Saving): Promise<SyncChunkDocument> =>
    store.transact(async (session) => {
      const { collected } = saving;
      const { again, kept } = collected;
      const refused = refusedOf(saving);
      const bad = badIn(collected, refused, retries);
      const replaced = sameRow.replacedIn(collected.rows);
      const chunk = chunkOf({ job }, saving, { replaced, isLogged, layout });
      const from = await count(
        {
          $set: { ...progressOf(collected), tries: 0 },
          $inc: { failed: bad.length, rows: bad.length },
          $unset: { reason: 1 },
        },
        session,
      );
      const isRemembered = chunk.again === undefined && chunk.hashes.length > 0;
      if (isRemembered || chunk.state === 'open') await chunks.insertOne(chunk, { session });
      const read = [...collected.rows, ...collected.bad].map(({ seen }) => seen);
      const told =
        again === undefined ? await retries.replace([...read, ...(kept?.gone ?? [])], session) : [];
      await takeBack(told, session);
      if (kept) await writeKept(store, kept, session);
      const first = from + collected.bad.length;
      const failed = refused.map((one, index) => ({ ...one, told: rowId(job._id, first + index) }));
      const lasting = failed.filter(({ place }) => !replaced.has(place) && !collected.removal);
      await retries.keep(lasting, session);
      await keepBadRows(store, { job, from, bad, at: saving.at }, session);
      return chunk;
    });

  const settle = (settled: readonly Settled[]): Promise<void> =>
    store.transact(async (session) => {
      const failed = settled.reduce((sum, { bad }) => sum + bad.length, 0);
      const synced = settled.reduce((sum, { chunk }) => sum + chunk.entries, 0) - failed;
      let from = await count({ $inc: { synced, failed, rows: failed }, $set: { tries: 0 } }, session);
      const { modifiedCount } = await chunks.updateMany(openOf(settled, false), done, { session });
      const { deletedCount } = await chunks.deleteMany(openOf(settled, true), { session });
      if (modifiedCount + deletedCount < settled.length) throw new LeaseLost();
      for (const one of settled) {
        const { chunk, request } = one;
        const bad = one.bad.map(({ entry, reason, place }) => ({
          ...badEntry(entry, reason),
          at: retries.firstFailed({ hash: hashAt(chunk, place) }),
        }));
        await retries.forget(succeededOf(one), session);
        const first = from;
        const failed = failedOf(one, (index) => rowId(job._id, first + index));
        await retries.keep(failed, session);
        await keepBadRows(store, { job, from, bad, at: chunk.at, request }, session);
        from += bad.length;
      }
    });

  return { save, settle };
};

export type Keep = ReturnType<typeof createKeep>;
