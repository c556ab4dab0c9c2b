/** What a provider reports of a message later than it took it: that it came, or that it will never come. */
import type { SendDocument, Store } from '@roster/store';
import { changeTo } from '../change-to.ts';
import { type CountChanges, count, endDeliveries, incrementsOf } from './end.ts';

interface ReportedState {
  state: 'sent' | 'refused';
  reason?: string;
}

/** A report of a failure counts against everything that was believed before; that it came is news only where it was unknown. */
const news: Readonly<Record<ReportedState['state'], ReadonlySet<SendDocument['state']>>> = {
  sent: new Set(['sending', 'unknown']),
  refused: new Set(['sending', 'unknown', 'sent']),
};

/** A result that is still being written finds its row changed, and counts no more. */
export const createWriteReport =
  (store: Pick<Store, 'messages' | 'transact'>) =>
  (ws: string, _id: string, { state, reason }: ReportedState): Promise<void> =>
    store.transact(async (session) => {
      const { sends, deliveries } = store.messages;
      const row = await sends.findOne({ _id, ws }, { session, projection: { state: 1, delivery: 1 } });
      if (!row || !news[state].has(row.state)) return;
      const at = new Date();
      await sends.updateOne({ _id }, changeTo({ state, at, reason }), { session });
      const changes: CountChanges = {};
      count(changes, row.state, -1);
      count(changes, state, 1);
      const { delivery } = row;
      await deliveries.updateOne({ _id: delivery }, { $inc: incrementsOf(changes) }, { session });
      await endDeliveries(store, session, [delivery], at);
    });

/** Nearly all reports say that what was sent has come: they are no news, and one read finds them. */
export const createWriteReports = (store: Pick<Store, 'messages' | 'transact'>) => {
  const writeReport = createWriteReport(store);
  return async (ws: string, reports: readonly (ReportedState & { row: string })[]): Promise<void> => {
    const _id = { $in: [...new Set(reports.map(({ row }) => row))] };
    const rows = await store.messages.sends.find({ _id, ws }, { projection: { state: 1 } }).toArray();
    const states = new Map(rows.map((row) => [row._id, row.state]));
    for (const { row, ...report } of reports) {
      const before = states.get(row);
      if (before && news[report.state].has(before)) await writeReport(ws, row, report);
    }
  };
};

export type WriteReports = ReturnType<typeof createWriteReports>;
