/**
 * A change is made once, and its answer is kept with it in one transaction: the mark in `requests`. A job that comes again, and a caller that
 * asks again under the same idempotency key, get that answer. A refusal is kept as well: what was refused is not done later.
 */
import { type AcceptedRequest, errorBodyIn, isRejection, operationById, Rejection } from '@roster/contract';
import type { Reply } from '@roster/queue';
import { expiryOf, type RequestDocument, type Store } from '@roster/store';
import { Nothing, type Write } from './handler.ts';

type Answer = NonNullable<RequestDocument['answer']>;

/** What is kept of a change: its answer, and what its outcome says. */
interface Kept extends Pick<RequestDocument, 'state' | 'reason'> {
  answer: Answer;
}

export const refusedWith = (rejection: Rejection, { op }: Pick<AcceptedRequest, 'op'>): Answer => ({
  status: rejection.status,
  body: JSON.stringify(errorBodyIn(operationById(op)?.dialect, rejection)),
});

const internal = new Rejection('INTERNAL');

export const failed = (request: AcceptedRequest): Answer => refusedWith(internal, request);

const done = ({ op }: AcceptedRequest, written: object): Kept => {
  const [body, reason] = written instanceof Nothing ? [written.body, written.reason] : [written];
  const answer = { status: operationById(op)?.success ?? 200, body: JSON.stringify(body) };
  return { state: 'applied', answer, ...(reason !== undefined && { reason }) };
};

const refused = (rejection: Rejection, request: AcceptedRequest): Kept => ({
  state: 'failed',
  reason: rejection.message,
  answer: refusedWith(rejection, request),
});

const markOf = (
  { id: _id, ws, op, at }: AcceptedRequest,
  kept: Kept,
  days: number | undefined,
): RequestDocument => {
  const applied = new Date();
  return { _id, ws, op, at, ...kept, applied, expires: expiryOf(applied, days) };
};

export type Once = (request: AcceptedRequest, prepare: () => Promise<Write>) => Promise<Reply>;

export const createOnce = ({ requests, transact, outcomeDaysOf }: Store): Once => {
  /** With the answer of before, if there is one. */
  const keep = async (request: AcceptedRequest, keptOf: (...given: Parameters<Write>) => Promise<Kept>) => {
    const days = await outcomeDaysOf(request.ws);
    return transact(async (session) => {
      const mark = await requests.findOne({ _id: request.id }, { session });
      if (mark) return mark.answer ?? failed(request);
      const kept = await keptOf(session);
      await requests.insertOne(markOf(request, kept, days), { session });
      return kept.answer;
    });
  };

  return async (request, prepare) => {
    try {
      const write = await prepare();
      return await keep(request, async (session) => done(request, await write(session)));
    } catch (error) {
      if (!isRejection(error) || error.status >= 500) throw error;
      return keep(request, async () => refused(error, request));
    }
  };
};
