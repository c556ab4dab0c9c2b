/** The outcome of a request. A request that is not in MongoDB may still be queued: `answer.ts` checks that. */
import { type AcceptedRequest, outcomeReport, type RequestReport } from '@roster/contract';
import { idsOfStamp, stampOfRequestId, stampToDate } from '@roster/queue';
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

/** The history of consent names a request by its stamp: so it may be another id than that of the receipt. */
const idsOf = ({ ws, params }: AcceptedRequest, { secret }: ExportTools): string[] => {
  const { id = '' } = params ?? {};
  const stamp = stampOfRequestId(secret, ws, id);
  return stamp === undefined ? [id] : idsOfStamp(secret, ws, stamp);
};

export const requestsRead = async (request: AcceptedRequest, tools: ExportTools) => {
  const outcome = await tools.store.outcomes.read(request.ws, ...idsOf(request, tools));
  return outcome && { status: 200, body: JSON.stringify(reportOf(outcome)) };
};
