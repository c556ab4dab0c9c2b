/** The reply to a caller that waits: the operation's own answer, or the outcome of the request. */
import {
  type AcceptedRequest,
  type Outcome,
  operationById,
  outcomeReport,
  stringifyExact,
} from '@roster/contract';
import type { Reply } from '@roster/queue';
import { failedReply } from './once.ts';
import type { Applied } from './work.ts';

/** The answer of an operation that is answered with its result. */
export type ResultOf = (request: AcceptedRequest, applied: Applied) => object | Promise<object>;

const unwanted: Reply = { status: 200, body: '' };

const report = ({ id }: AcceptedRequest, outcome: Outcome): Reply => ({
  status: 200,
  body: JSON.stringify({ request_id: id, ...outcomeReport(outcome) }),
});

/** Operations that are answered with a receipt reply with the outcome to a caller that waits for more. */
const isAnsweredByResult = ({ op }: AcceptedRequest): boolean => operationById(op)?.answer === 'result';

const answer = async (request: AcceptedRequest, result: object | Promise<object>): Promise<Reply> => ({
  status: operationById(request.op)?.success ?? 200,
  body: stringifyExact(await result),
});

/** Written out only for those who wait for it. */
export const createReplies = (resultOf: ResultOf) => ({
  applied(request: AcceptedRequest, applied: Applied): Reply | Promise<Reply> {
    if (!request.reply) return unwanted;
    return isAnsweredByResult(request)
      ? answer(request, resultOf(request, applied))
      : report(request, applied);
  },

  failed(request: AcceptedRequest, reason: string): Reply {
    if (!request.reply) return unwanted;
    return isAnsweredByResult(request) ? failedReply(request) : report(request, { state: 'failed', reason });
  },
});
