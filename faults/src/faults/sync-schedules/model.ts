// What must be there at the end of a schedule: a pure function of its acts.
import { type Act, type Extra, extras, type Schedule, type Slot, slots, type Write } from './acts.ts';

/** What a row says in each of its columns. */
export const cellOf = (column: 'n' | Extra, n: number): number => n + { n: 0, b: 1_000, c: 2_000 }[column];

export interface Row {
  n: number;
  /** The act that committed it. */
  at: number;
}

export interface Expected {
  rows: ReadonlyMap<string, Row>;
  /** Those that were there once. */
  removed: ReadonlyMap<string, Row>;
  /** All numbers that were ever committed. */
  committed: ReadonlySet<number>;
  /** Rows that were there before a column was dropped: whether they have changed since they were read, within one time or without times, can't be told. */
  uncompared: ReadonlySet<string>;
  /** Since which act each column is read. A new column is no change of a row. */
  since: Readonly<Partial<Record<Extra, number>>>;
}

export const expectedOf = ({ plan, acts }: Schedule): Expected => {
  const [rows, removed] = [new Map<string, Row>(), new Map<string, Row>()];
  const [committed, uncompared] = [new Set<number>(), new Set<string>()];
  const pending = new Map<Slot, Write[]>(slots.map((slot) => [slot, []]));
  const since: Partial<Record<Extra, number>> = { b: -1, c: -1 };
  let [shown, mapped]: [readonly Extra[], readonly Extra[]] = [extras, extras];

  const commit = (writes: readonly Write[], at: number): void => {
    for (const { key, n } of writes) {
      rows.set(key, { n, at });
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
      if (shown.some((column) => !act.columns.includes(column)))
        for (const key of rows.keys()) uncompared.add(key);
      shown = act.columns;
    } else if (act.do === 'map') mapped = act.columns;
    else if (act.do === 'sync' && act.meanwhile) follow(act.meanwhile.act, at);
    read(at);
  };
  acts.forEach(follow);
  return { rows, removed, committed, uncompared, since };
};
