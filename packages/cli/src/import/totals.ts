/** The results of the rows so far. Counted in the order of the file, so that they stand for all rows before a place. */
import type { Batch, Refusal } from './batches.ts';
import { type Sent, sorted } from './sent.ts';

export interface Totals {
  rows: number;
  requests: number;
  /** Entries and further names; a row may have several. */
  sent: number;
  accepted: number;
  refused: number;
  /** Accepted entries without effect, by reason. */
  ignored: Record<string, number>;
  /** Accepted entries with an unknown result: not waited for. */
  unknown: number;
  /** Ignored fields of applied entries, with the reason. */
  notes: Record<string, number>;
  /** Fields of exported users that could not be sent: the number of rows with each. For names, their number. */
  leftOut: Record<string, number>;
  /** The first ones, for the report. */
  firstRefusals: Omit<Refusal, 'row'>[];
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
  accepted: 0,
  refused: 0,
  ignored: {},
  unknown: 0,
  notes: {},
  leftOut: {},
  firstRefusals: [],
});

const shown = 10;
const mostNames = 100;

export const ignoredIn = ({ ignored }: Totals): number =>
  Object.values(ignored).reduce((sum, count) => sum + count, 0);

const counted = (before: Record<string, number>, names: readonly string[]): Record<string, number> => {
  if (names.length === 0) return before;
  const counts = new Map(Object.entries(before));
  for (const name of names)
    if (counts.has(name) || counts.size < mostNames) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
};

/** All entries without effect, for their list. */
export const lostIn = (batch: Batch, sent: Sent): Refusal[] => sorted([...batch.refusals, ...sent.lost]);

export const added = (totals: Totals, batch: Batch, sent: Sent): Totals => {
  const lost = lostIn(batch, sent);
  const refusals = lost.filter(({ reason, rest }) => reason === undefined && !rest);
  const leftOut = [...batch.leftOut, ...sent.leftOut];
  const first = refusals.slice(0, Math.max(0, shown - totals.firstRefusals.length));
  return {
    rows: totals.rows + batch.rows,
    requests: totals.requests + sent.requests,
    sent: totals.sent + batch.items.length + batch.names.length - sent.leftOut.length,
    accepted: totals.accepted + sent.accepted,
    refused: totals.refused + refusals.length,
    ignored: counted(
      totals.ignored,
      lost.flatMap(({ reason }) => reason ?? []),
    ),
    unknown: totals.unknown + sent.unknown,
    notes: counted(totals.notes, sent.notes),
    leftOut: counted(totals.leftOut, leftOut),
    firstRefusals: [
      ...totals.firstRefusals,
      ...first.map(({ line, code, sentence }) => ({ line, code, sentence })),
    ],
  };
};
