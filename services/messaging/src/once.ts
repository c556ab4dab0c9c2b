/**
 * A change is made once, and its answer is kept with it in one transaction: the mark in `requests`. A job that comes again, and a caller that
 * asks again under the same idempotency key, get that answer. A refusal is kept as well: what was refused is not done later.
 */
import { type AcceptedRequest, isRejection, operationById, Rejection, rejectionBody } from '@roster/contract';
import type { Reply } from '@roster/queue';
import { expiryOf, type RequestDocument, type Store } from '@roster/store';
import type { Write } from './handler.ts';

type Answer = NonNullable<RequestDocument['answer']>;

export const refusedWith = (rejection: Rejection): Answer => ({
  status: rejection.status,
  body: JSON.stringify(rejectionBody(rejection)),
});

export const failed = refusedWith(new Rejection('INTERNAL'));

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

export type Once = (request: AcceptedRequest, prepare: () => Promise<Write>) => Promise<Reply>;

export const createOnce = ({ requests, transact, outcomeDaysOf }: Store): Once => {
  /** With the answer of before, if there is one. */
  const keep = async (
    request: AcceptedRequest,
    answerOf: (...given: Parameters<Write>) => Promise<Answer>,
  ) => {
    const days = await outcomeDaysOf(request.ws);
    return transact(async (session) => {
      const mark = await requests.findOne({ _id: request.id }, { session });
      if (mark) return mark.answer ?? failed;
      const answer = await answerOf(session);
      await requests.insertOne(markOf(request, answer, days), { session });
      return answer;
    });
  };

  return async (request, prepare) => {
    try {
      const write = await prepare();
      return await keep(request, async (session) => done(request, await write(session)));
    } catch (error) {
      if (!isRejection(error) || error.status >= 500) throw error;
      return keep(request, async () => refusedWith(error));
    }
  };
};
