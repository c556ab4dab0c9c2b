/** A walk along what is kept of a table, in the order of its keys and in constant memory. What did not change is not written. */
import { compareKeys } from '@roster/sources';
import type { IntegrationDocument, Store } from '@roster/store';
import { shortened } from './collector.ts';
import {
  isGone,
  type KeptChange,
  type KeptRow,
  keptDocument,
  keptDocuments,
  keptId,
  nothing,
  rowsIn,
} from './kept.ts';

/** Of rows that were passed and are not written yet: rather at the end of a document than within. */
const bounds = { atEnd: 500, within: 2_000 };

interface WalkOptions {
  store: Pick<Store, 'syncs'>;
  integration: IntegrationDocument;
  /** Rows that are gone stay, marked as such, until they are removed. Else they are forgotten. */
  marksGone: boolean;
  /** The last key that a process before has passed. */
  from: string | undefined;
}

interface WalkState {
  /** Rows that were passed, those of them that are gone, and documents that were read, since the last write. */
  pending: KeptRow[];
  gone: KeptRow[];
  read: string[];
  /** The document that is walked along, from `at` on, and its id. */
  rest: KeptRow[];
  at: number;
  place: string;
  isChanged: boolean;
}

const stateAt = (place: string): WalkState => ({
  pending: [],
  gone: [],
  read: [],
  rest: [],
  at: 0,
  place,
  isChanged: false,
});

const changeIn = (
  { pending, gone, read, rest, at, place }: WalkState,
  integration: IntegrationDocument,
): KeptChange => {
  const left = rest.slice(at);
  const put = [
    ...keptDocuments(integration, pending),
    ...(left.length > 0 ? [keptDocument(integration, place, left)] : []),
  ];
  const written = new Set(put.map(({ _id }) => _id));
  return {
    remove: read.filter((id) => !written.has(id)),
    put,
    gone: gone.map(({ key }) => ({ key: shortened(key) })),
  };
};

const isFullOf = ({ isChanged, pending, gone, rest, at }: WalkState): boolean =>
  isChanged && Math.max(pending.length, gone.length) >= (at < rest.length ? bounds.within : bounds.atEnd);

export const walkKept = ({ store: { syncs }, integration, marksGone, from }: WalkOptions) => {
  const state = stateAt(keptId(integration, from ?? ''));
  let isAll = false;

  const load = async (): Promise<boolean> => {
    if (isAll) return false;
    if (!state.isChanged) Object.assign(state, { pending: [], read: [] });
    const found = await syncs.kept.findOne(
      { _id: { $gt: state.place, $lt: `${integration._id}0` } },
      { sort: { _id: 1 }, promoteBuffers: true },
    );
    isAll = !found;
    if (!found) return false;
    const rows = rowsIn(found);
    const at = from === undefined ? 0 : rows.filter(({ key }) => compareKeys(key, from) <= 0).length;
    state.pending.push(...rows.slice(0, at));
    state.read.push(found._id);
    Object.assign(state, { rest: rows, at, place: found._id });
    return true;
  };

  const passGone = (row: KeptRow): void => {
    state.at += 1;
    if (marksGone) state.pending.push({ ...row, hash: nothing });
    if (marksGone && isGone(row)) return;
    state.gone.push(row);
    state.isChanged = true;
  };

  return {
    isFull: (): boolean => isFullOf(state),
    isChanged: (): boolean => state.isChanged,
    /** Those before a key, or all, are no longer in the table. `write` writes what has changed so far. */
    async pass(key: string | undefined, write: () => Promise<void>): Promise<void> {
      const next = (): KeptRow | undefined => {
        const row = state.rest[state.at];
        return row && (key === undefined || compareKeys(row.key, key) < 0) ? row : undefined;
      };
      do {
        for (let row = next(); row; row = next()) {
          passGone(row);
          if (isFullOf(state)) await write();
        }
      } while (state.at >= state.rest.length && (await load()));
    },
    /** The next row of the table. Says what it was before. */
    see(row: KeptRow): KeptRow | undefined {
      const next = state.rest[state.at];
      const old = next?.key === row.key ? next : undefined;
      if (old) state.at += 1;
      // A row that makes no entry now may go later, and its person with it.
      state.pending.push(old?.person === undefined ? row : { person: old.person, ...row });
      state.isChanged ||= !old?.hash.equals(row.hash);
      return old;
    },
    /** What is to be written. */
    take(): KeptChange {
      if (!state.isChanged) return { remove: [], put: [], gone: [] };
      const change = changeIn(state, integration);
      const read = state.at < state.rest.length ? [state.place] : [];
      Object.assign(state, { pending: [], gone: [], read, isChanged: false });
      return change;
    },
  };
};
