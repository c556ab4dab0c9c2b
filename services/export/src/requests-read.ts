/** The outcome of a request. A request that is not in MongoDB may still be queued: `answer.ts` checks that. */
import { type AcceptedRequest, outcomeReport, type RequestReport } from '@roster/contract';
import { stampToDate } from '@roster/queue';
import type { StoredOutcome } from '@roster/store';
import type { ExportTools } from './handler.ts';

const reportOf = (outcome: StoredOutcome): RequestReport => ({
  message: 'success',
  request_id: outcome.id,
  operation: outcome.op,
  accepted_at: stampToDate(outcome.at).toISOString(),
  ...(outcome.state === 'applied' && { applied_at: outcome.applied.toISOString() }),
  ...outcomeReport(outcome),
  ...(outcome.state === 'applied' && outcome.answer && { answer: JSON.parse(outcome.answer.body) }),
});

export const requestsRead = async ({ ws, params }: AcceptedRequest, { store }: ExportTools) => {
  const outcome = await store.outcomes.read(ws, params?.id ?? '');
  return outcome && { status: 200, body: JSON.stringify(reportOf(outcome)) };
};
