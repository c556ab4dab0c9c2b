// What must be there at the end of a schedule: a pure function of its acts.
import { type Act, type Extra, extras, type Schedule, type Slot, slots, type Write } from './acts.ts';

/** What a row says in each of its columns. */
export const cellOf = (column: 'n' | Extra, n: number): number => n + { n: 0, b: 1_000, c: 2_000 }[column];

export interface Row {
  n: number;
  /** The act that committed it. */
  at: number;
  /** Committed between the last sync before a column was dropped and the first one after it: within one time, or without times, it can't be told whether it has changed since it was read. */
  isUncompared: boolean;
}

export interface Expected {
  rows: ReadonlyMap<string, Row>;
  /** Those that were there once. */
  removed: ReadonlyMap<string, Row>;
  /** All numbers that were ever committed. */
  committed: ReadonlySet<number>;
  /** Since which act each column is read. A new column is no change of a row. */
  since: Readonly<Partial<Record<Extra, number>>>;
}

/** What syncs know of the rows: which can be compared with what they said when they were read. */
const createMemory = () => {
  // Of rows that a sync may have read; of those that were, since a column of theirs was dropped.
  const [seen, blurred] = [new Set<string>(), new Set<string>()];
  let [lastSync, isLeftOver] = [-1, false];
  return {
    isBlurred: (key: string): boolean => blurred.has(key),
    /** Also those that are gone: they may come back before the next sync. */
    drop(rows: ReadonlyMap<string, Row>): void {
      for (const key of seen) {
        blurred.add(key);
        const row = rows.get(key);
        if (row) row.isUncompared ||= row.at >= lastSync;
      }
    },
    /** A job that was left over goes on behind its cursor. */
    sync({ isGood = false }: Act & { do: 'sync' }, keys: Iterable<string>, at: number): void {
      for (const key of keys) seen.add(key);
      if (isGood && !isLeftOver) {
        blurred.clear();
        lastSync = at;
      }
      isLeftOver = !isGood;
    },
  };
};

export const expectedOf = ({ plan, acts }: Schedule): Expected => {
  const [rows, removed] = [new Map<string, Row>(), new Map<string, Row>()];
  const [committed, memory] = [new Set<number>(), createMemory()];
  const pending = new Map<Slot, Write[]>(slots.map((slot) => [slot, []]));
  const since: Partial<Record<Extra, number>> = { b: -1, c: -1 };
  let [shown, mapped]: [readonly Extra[], readonly Extra[]] = [extras, extras];

  const commit = (writes: readonly Write[], at: number): void => {
    for (const { key, n } of writes) {
      rows.set(key, { n, at, isUncompared: memory.isBlurred(key) });
      removed.delete(key);
      committed.add(n);
    }
  };
  const remove = (key: string): void => {
    const row = rows.get(key);
    if (row) removed.set(key, row);
    rows.delete(key);
  };
  const read = (at: number): void => {
    for (const column of extras) {
      const isRead = shown.includes(column) && (!plan.isMapped || mapped.includes(column));
      if (!isRead) delete since[column];
      else since[column] ??= at;
    }
  };
  const follow = (act: Act, at: number): void => {
    if (act.do === 'write') commit(act.writes, at);
    else if (act.do === 'remove') act.keys.forEach(remove);
    else if (act.do === 'hold' && act.savepoint !== 'rollback') pending.get(act.slot)?.push(...act.writes);
    else if (act.do === 'end') {
      const writes = pending.get(act.slot)?.splice(0) ?? [];
      if (act.how === 'commit') commit(writes, at);
    } else if (act.do === 'show') {
      if (shown.some((column) => !act.columns.includes(column))) memory.drop(rows);
      shown = act.columns;
    } else if (act.do === 'map') mapped = act.columns;
    else if (act.do === 'sync') {
      if (act.meanwhile) follow(act.meanwhile.act, at);
      memory.sync(act, rows.keys(), at);
    }
    read(at);
  };
  acts.forEach(follow);
  return { rows, removed, committed, since };
};
