/**
 * A change is made once, and its answer is kept with it in one transaction: the mark in `requests`. A job that comes again, and a caller that
 * asks again under the same idempotency key, get that answer. A refusal is kept as well: what was refused is not done later.
 */
import {
  type AcceptedRequest,
  errorBodyIn,
  errorHeadersOf,
  isRejection,
  isRejectionCode,
  operationById,
  Rejection,
} from '@roster/contract';
import type { Reply } from '@roster/queue';
import { expiryOf, type RequestDocument, type Session, type Store } from '@roster/store';

/** What a change writes, in the transaction that also keeps its answer. Runs again after a conflict, so it reads what it decides by. */
export type Write = (session: Session) => Promise<object>;

type Answer = NonNullable<RequestDocument['answer']>;

const refusal = (rejection: Rejection, op: string): Answer => ({
  status: rejection.status,
  body: JSON.stringify(errorBodyIn(operationById(op)?.dialect, rejection)),
  code: rejection.code,
});

/** An answer without a code was kept by an earlier version. */
const replyOf = ({ code, ...answer }: Answer): Reply => ({
  ...answer,
  ...(code !== undefined && isRejectionCode(code) && { headers: errorHeadersOf({ code }) }),
});

export const refusedWith = (rejection: Rejection, op: string): Reply => replyOf(refusal(rejection, op));

const failed = (op: string): Reply => refusedWith(new Rejection('INTERNAL'), op);

/** The reply to a request that failed for good. The outcome of a write says so too. */
export const failForGood =
  ({ outcomes }: Pick<Store, 'outcomes'>) =>
  async (request: AcceptedRequest, reason: string): Promise<Reply> => {
    if (operationById(request.op)?.kind === 'write') await outcomes.fail(request, reason);
    return failed(request.op);
  };

const done = ({ op }: AcceptedRequest, body: object): Answer => ({
  status: operationById(op)?.success ?? 200,
  body: JSON.stringify(body),
});

const reasonOf = ({ status, body }: Answer): Pick<RequestDocument, 'state' | 'reason'> =>
  status < 300 ? { state: 'applied' } : { state: 'failed', reason: JSON.parse(body).message };

const markOf = (
  { id: _id, ws, op, at }: AcceptedRequest,
  answer: Answer,
  days: number | undefined,
): RequestDocument => {
  const applied = new Date();
  return { _id, ws, op, at, ...reasonOf(answer), applied, answer, expires: expiryOf(applied, days) };
};

type Once = (request: AcceptedRequest, prepare: () => Promise<Write>) => Promise<Reply>;

export const createOnce = ({ requests, transact, outcomeDaysOf }: Store): Once => {
  /** With the answer of before, if there is one. */
  const keep = async (
    request: AcceptedRequest,
    answerOf: (...given: Parameters<Write>) => Promise<Answer>,
  ) => {
    const days = await outcomeDaysOf(request.ws);
    return transact(async (session) => {
      const mark = await requests.findOne({ _id: request.id }, { session });
      if (mark) return mark.answer ?? refusal(new Rejection('INTERNAL'), request.op);
      const answer = await answerOf(session);
      await requests.insertOne(markOf(request, answer, days), { session });
      return answer;
    });
  };

  return async (request, prepare) => {
    try {
      const write = await prepare();
      return replyOf(await keep(request, async (session) => done(request, await write(session))));
    } catch (error) {
      if (!isRejection(error) || error.status >= 500) throw error;
      return replyOf(await keep(request, async () => refusal(error, request.op)));
    }
  };
};
