/**
 * Rows that failed are tried again in each later job. What they wanted is kept, not their rows: a row that makes no entry would make none
 * again. What became a dead letter waits for an operator instead.
 */
import { parseExact, stringifyExact } from '@roster/contract';
import { type Entry, requestKinds, wayOf } from '@roster/integrations';
import { expiryOf, type IntegrationDocument, type Session, type Store } from '@roster/store';
import { personOf } from './bad-rows.ts';
import type { Collected, MappedRow } from './collector.ts';
import type { Seen } from './memory.ts';
import type { SameRow } from './same-row.ts';

/** Of an integration, and the characters of one. Others are tried again when they change. */
const bounds = { rows: 10_000, entry: 16_384 };

/** In one request, and at once in memory. */
const atOnce = 50;

export interface FailedEntry extends MappedRow {
  /** Stamp of the request. */
  at: number;
  /** Under which id the job tells that it failed. */
  told: string;
}

type RetryDocument = Parameters<Store['syncs']['retries']['insertOne']>[0];

const rowOf = ({ _id, key, name, entry, updated_at: updatedAt }: RetryDocument): MappedRow => {
  const hash = Buffer.from(_id.slice(_id.indexOf('/') + 1), 'base64url');
  const seen = { hash, key, ...(name !== undefined && { name }) };
  return { entry: parseExact(entry) as Entry, updatedAt, seen };
};

type Known = Pick<RetryDocument, '_id' | 'key'>;

/** The keys of rows that failed, with the id of the last one. */
const createKeys = (known: readonly Known[]) => {
  const keys = new Map(known.map(({ _id, key }) => [key, _id]));
  const succeeded = new Set<string>();
  return {
    isEmpty: (): boolean => keys.size === 0,
    has: (key: string): boolean => keys.has(key),
    add({ _id, key }: Known): void {
      keys.set(key, _id);
      succeeded.delete(_id);
    },
    succeed: (id: string): void => void succeeded.add(id),
    /** Whether the row of a key has failed, and waits to be tried again. */
    isWaiting(key: string): boolean {
      const found = keys.get(key);
      return found !== undefined && !succeeded.has(found);
    },
  };
};

/** In requests, from the one behind `after` on. */
async function* requestsOf(
  { syncs: { retries } }: Pick<Store, 'syncs'>,
  { _id: id, data }: IntegrationDocument,
  after: string | undefined,
): AsyncGenerator<Omit<Collected, 'to'>, void, undefined> {
  const { mixes } = requestKinds[data];
  for (let last = after ?? `${id}/`; ; ) {
    const found = await retries
      .find({ _id: { $gt: last, $lt: `${id}0` } }, { sort: { _id: 1 }, limit: atOnce })
      .toArray();
    const all = found.map(rowOf);
    const [first] = all;
    if (!first) return;
    const by = wayOf(first.entry);
    const end = mixes ? -1 : all.findIndex(({ entry }) => wayOf(entry) !== by);
    const taken = end < 0 ? all : all.slice(0, end);
    last = found[taken.length - 1]?._id ?? last;
    yield { rows: taken, bad: [], again: last, by };
  }
}

export const loadRetries = async (
  store: Pick<Store, 'syncs' | 'tombstones'>,
  integration: IntegrationDocument,
  { replaces }: Pick<SameRow, 'replaces'>,
) => {
  const { _id: id, ws } = integration;
  const { retries } = store.syncs;
  const known = await retries.find({ integration: id }, { projection: { key: 1, at: 1 } }).toArray();
  const ids = new Map(known.map(({ _id, at }) => [_id, at]));
  const keys = createKeys(known);
  const before = new Set(ids.keys());
  const idOf = ({ hash }: Pick<Seen, 'hash'>): string => `${id}/${hash.toString('base64url')}`;

  const writeOf = ({ seen, entry, updatedAt: updated_at, at, told }: FailedEntry) => {
    const [_id, key, written] = [idOf(seen), seen.key, stringifyExact(entry)];
    const isRoom = ids.has(_id) || ids.size < bounds.rows;
    if (!isRoom || written.length > bounds.entry) return undefined;
    ids.set(_id, ids.get(_id) ?? at);
    keys.add({ _id, key });
    const $set = { ws, integration: id, key, entry: written, expires: expiryOf(new Date(), 30) };
    const update = {
      $set: {
        ...$set,
        ...personOf(store, ws, entry),
        ...(seen.name !== undefined && { name: seen.name }),
        ...(before.has(_id) && { told }),
      },
      $setOnInsert: { at, ...(updated_at !== undefined && { updated_at }) },
    };
    return { updateOne: { filter: { _id }, update, upsert: true } };
  };

  return {
    /** Stamp of the request in which the row failed first: the person that it names may have lost the name since. */
    firstFailed: (seen: Pick<Seen, 'hash'>): number | undefined => ids.get(idOf(seen)),

    isWaiting: keys.isWaiting,

    /** In one write: a transaction with one for each of five hundred rows would reach the time limit of MongoDB. */
    async keep(failed: readonly FailedEntry[], session: Session): Promise<void> {
      const writes = failed.flatMap((one) => writeOf(one) ?? []);
      if (writes.length > 0) await retries.bulkWrite(writes, { session });
    },

    /** Those that succeeded. */
    async forget(applied: readonly Pick<Seen, 'hash'>[], session: Session): Promise<void> {
      if (ids.size === 0) return;
      const found = applied.map(idOf).filter((one) => ids.has(one));
      for (const one of found) keys.succeed(one);
      if (found.length > 0) await retries.deleteMany({ _id: { $in: found } }, { session });
    },

    /** Those whose rows were read with other content. Says under which ids jobs have told that they failed again. */
    async replace(read: readonly Pick<Seen, 'key'>[], session: Session): Promise<readonly string[]> {
      if (keys.isEmpty() || !replaces) return [];
      const found = read.map(({ key }) => key).filter((key) => keys.has(key));
      if (found.length === 0) return [];
      const filter = { integration: id, key: { $in: found } };
      const replaced = await retries.find(filter, { projection: { told: 1 }, session }).toArray();
      if (replaced.length > 0) await retries.deleteMany(filter, { session });
      return replaced.flatMap(({ told }) => told ?? []);
    },

    requests: (after: string | undefined) => requestsOf(store, integration, after),
  };
};

export type Retries = Awaited<ReturnType<typeof loadRetries>>;
