/** The results of the rows so far. Counted in the order of the file, so that they stand for all rows before a place. */
import type { Batch, Doubt, Refusal } from './batches.ts';
import { type ArrayName, arrays, type LeftOut } from './row.ts';
import { type Sent, sorted } from './sent.ts';

export interface Totals {
  rows: number;
  requests: number;
  /** Entries and further names; a row may have several. */
  sent: number;
  /** The entries by their array. */
  kinds: Partial<Record<ArrayName, number>>;
  accepted: number;
  refused: number;
  /** Accepted entries without effect, by reason. */
  ignored: Record<string, number>;
  /** Accepted entries with an unknown result: not waited for. */
  unknown: number;
  /** Ignored fields of applied entries, with the reason. */
  notes: Record<string, number>;
  /** Members of exported users that stay behind, by name: how many. */
  leftOut: Record<string, number>;
  /** Why each stays behind; the first reason. */
  reasons: Record<string, string>;
  /** The first ones, for the report. */
  firstRefusals: Omit<Refusal, 'row'>[];
  /** Rows that were sent and are to be looked at, and the first of them. */
  doubtful: number;
  firstDoubts: Doubt[];
}

/** All rows before byte `bytes` are answered; the next one is on line `line`. */
export interface Position {
  bytes: number;
  line: number;
}

export const noTotals = (): Totals => ({
  rows: 0,
  requests: 0,
  sent: 0,
  kinds: {},
  accepted: 0,
  refused: 0,
  ignored: {},
  unknown: 0,
  notes: {},
  leftOut: {},
  reasons: {},
  firstRefusals: [],
  doubtful: 0,
  firstDoubts: [],
});

const shown = 10;
const mostNames = 100;
const others = 'others';

export const ignoredIn = ({ ignored }: Totals): number =>
  Object.values(ignored).reduce((sum, count) => sum + count, 0);

const counted = (before: Record<string, number>, names: readonly string[]): Record<string, number> => {
  if (names.length === 0) return before;
  const counts = new Map(Object.entries(before));
  for (const name of names) {
    const place = counts.has(name) || counts.size < mostNames ? name : others;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
};

const reasonsIn = (totals: Totals, leftOut: readonly LeftOut[], names: object): Record<string, string> => {
  if (leftOut.length === 0) return totals.reasons;
  const first = leftOut.map(({ name, reason }): [string, string] => [name, reason]).reverse();
  const told = [...first, ...Object.entries(totals.reasons)].filter(([name]) => Object.hasOwn(names, name));
  return Object.fromEntries(told);
};

const kindsIn = (before: Totals['kinds'], { items }: Batch): Totals['kinds'] => {
  const counts = arrays.map((one): [ArrayName, number] => [
    one,
    (before[one] ?? 0) + items.filter(({ array }) => array === one).length,
  ]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
};

/** All entries without effect, for their list. */
export const lostIn = (batch: Batch, sent: Sent): Refusal[] => sorted([...batch.refusals, ...sent.lost]);

export const added = (totals: Totals, batch: Batch, sent: Sent): Totals => {
  const lost = lostIn(batch, sent);
  const refusals = lost.filter(({ reason, rest }) => reason === undefined && !rest);
  const all = [...batch.leftOut, ...sent.leftOut];
  const leftOut = counted(
    totals.leftOut,
    all.map(({ name }) => name),
  );
  const first = refusals.slice(0, Math.max(0, shown - totals.firstRefusals.length));
  const doubts = batch.doubts.slice(0, Math.max(0, shown - totals.firstDoubts.length));
  return {
    rows: totals.rows + batch.rows,
    requests: totals.requests + sent.requests,
    sent: totals.sent + sent.accepted + sent.lost.length,
    kinds: kindsIn(totals.kinds, batch),
    accepted: totals.accepted + sent.accepted,
    refused: totals.refused + refusals.length,
    ignored: counted(
      totals.ignored,
      lost.flatMap(({ reason }) => reason ?? []),
    ),
    unknown: totals.unknown + sent.unknown,
    notes: counted(totals.notes, sent.notes),
    leftOut,
    reasons: reasonsIn(totals, all, leftOut),
    firstRefusals: [
      ...totals.firstRefusals,
      ...first.map(({ line, code, sentence }) => ({ line, code, sentence })),
    ],
    doubtful: totals.doubtful + batch.doubts.length,
    firstDoubts: [...totals.firstDoubts, ...doubts],
  };
};
