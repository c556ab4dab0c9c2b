/** What a provider reports of a message later than it took it: that it came, or that it will never come. */
import type { SendReason } from '@roster/contract';
import type { SendDocument, Store } from '@roster/store';
import { Changed, type Known, writeKnown } from './write-results.ts';

interface Report {
  /** The id of its row. */
  row: string;
  state: 'sent' | 'refused';
  reason?: SendReason;
  words?: string;
}

/** A report of a failure counts against everything that was believed before; that it came is news only where it was unknown. */
const news: Readonly<Record<Report['state'], ReadonlySet<SendDocument['state']>>> = {
  sent: new Set(['sending', 'unknown']),
  refused: new Set(['sending', 'unknown', 'sent']),
};

/** Nearly all reports say that what was sent has come: they are no news, and one read finds them. A result that is still being written finds its row changed, and counts no more. */
export const createWriteReports = (store: Pick<Store, 'messages' | 'transact'>) => {
  const newsIn = async (ws: string, reports: readonly Report[]): Promise<Known[]> => {
    const _id = { $in: [...new Set(reports.map(({ row }) => row))] };
    const rows = await store.messages.sends.find({ _id, ws }, { projection: { outbox: 0 } }).toArray();
    const stored = new Map(rows.map((row) => [row._id, row]));
    const known = new Map<string, Known>();
    for (const { row: id, ...report } of reports) {
      const row = stored.get(id);
      const before = known.get(id)?.state ?? row?.state;
      if (row && before && news[report.state].has(before)) known.set(id, { row, from: row.state, ...report });
    }
    return [...known.values()];
  };

  return async function writeReports(ws: string, reports: readonly Report[]): Promise<void> {
    const known = await newsIn(ws, reports);
    if (known.length === 0) return;
    try {
      await store.transact((session) => writeKnown(store, session, known));
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
      await writeReports(ws, reports);
    }
  };
};

export type WriteReports = ReturnType<typeof createWriteReports>;
