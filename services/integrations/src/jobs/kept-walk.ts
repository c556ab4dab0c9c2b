/** A walk along what is kept of a table, in the order of its keys and in constant memory. What did not change is not written. */
import { compareKeys } from '@roster/sources';
import type { IntegrationDocument, Store, SyncKeptDocument } from '@roster/store';
import { shortened } from './collector.ts';
import {
  isGone,
  type KeptChange,
  type KeptRow,
  keptDocument,
  keptDocuments,
  keptId,
  rowsIn,
} from './kept.ts';

/** Of rows that were passed and are not written yet: rather at the end of a document than within. */
const bounds = { atEnd: 500, within: 2_000 };

interface WalkOptions {
  store: Pick<Store, 'syncs'>;
  integration: IntegrationDocument;
  /** What stays of a row that is not in the table. */
  keepGone(row: KeptRow): KeptRow | undefined;
  /** The last key that a process before has passed. */
  from: string | undefined;
  /** How columns are mapped now. */
  layout?: string | undefined;
}

const changeOf = (read: readonly string[], put: readonly SyncKeptDocument[], gone: readonly KeptRow[]) => {
  const written = new Set(put.map(({ _id }) => _id));
  return {
    remove: read.filter((id) => !written.has(id)),
    put,
    gone: gone.map(({ key }) => ({ key: shortened(key) })),
  };
};

export const walkKept = ({ store: { syncs }, integration, keepGone, from, layout }: WalkOptions) => {
  /** Rows that were passed, those of them that are gone, and documents that were read, since the last write. */
  let [pending, gone, read]: [KeptRow[], KeptRow[], string[]] = [[], [], []];
  /** The document that is walked along, from `at` on, and its id. */
  let [rest, at, place]: [KeptRow[], number, string] = [[], 0, keptId(integration, from ?? '')];
  let [isChanged, isAll] = [false, false];

  const isFull = (): boolean =>
    isChanged && Math.max(pending.length, gone.length) >= (at < rest.length ? bounds.within : bounds.atEnd);

  const load = async (): Promise<boolean> => {
    if (isAll) return false;
    if (!isChanged) [pending, read] = [[], []];
    const found = await syncs.kept.findOne(
      { _id: { $gt: place, $lt: `${integration._id}0` } },
      { sort: { _id: 1 }, promoteBuffers: true },
    );
    isAll = !found;
    if (!found) return false;
    [rest, place] = [rowsIn(found), found._id];
    at = from === undefined ? 0 : rest.filter(({ key }) => compareKeys(key, from) <= 0).length;
    pending.push(...rest.slice(0, at).flatMap((row) => (isGone(row) ? (keepGone(row) ?? []) : row)));
    read.push(place);
    return true;
  };

  const passGone = (row: KeptRow): void => {
    at += 1;
    const kept = keepGone(row);
    if (kept) pending.push(kept);
    if (kept && isGone(row)) return;
    gone.push(row);
    isChanged = true;
  };

  return {
    isFull,
    isChanged: (): boolean => isChanged,
    /** Those before a key, or all, are no longer in the table. `write` writes what has changed so far. */
    async pass(key: string | undefined, write: () => Promise<void>): Promise<void> {
      const next = (): KeptRow | undefined => {
        const row = rest[at];
        return row && (key === undefined || compareKeys(row.key, key) < 0) ? row : undefined;
      };
      do {
        for (let row = next(); row; row = next()) {
          passGone(row);
          if (isFull()) await write();
        }
      } while (at >= rest.length && (await load()));
    },
    /** The next row of the table. Says what it was before. */
    see(row: KeptRow): KeptRow | undefined {
      const next = rest[at];
      const old = next?.key === row.key ? next : undefined;
      if (old) at += 1;
      // A row that makes no entry now may go later, and its person with it.
      pending.push(old?.person === undefined ? row : { person: old.person, ...row });
      isChanged ||= !old?.hash.equals(row.hash) || old.layout !== layout || isGone(old);
      return old;
    },
    /** What is to be written. */
    take(): KeptChange {
      if (!isChanged) return { remove: [], put: [], gone: [] };
      const left = at < rest.length ? [keptDocument(integration, place, rest.slice(at))] : [];
      const change = changeOf(read, [...keptDocuments(integration, pending, layout), ...left], gone);
      [pending, gone, read, isChanged] = [[], [], left.map(({ _id }) => _id), false];
      return change;
    },
  };
};
