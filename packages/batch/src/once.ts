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
  retryHeader,
} from '@roster/contract';
import type { Reply } from '@roster/queue';
import { markOf, type RequestDocument, type Session, type Store } from '@roster/store';

/** Of a change that was accepted and comes to nothing: the outcome says why. */
export class Nothing {
  constructor(
    readonly reason: string,
    readonly body: object,
  ) {}
}

/** What a change writes, in the transaction that also keeps its answer. Runs again after a conflict, so it reads what it decides by. */
export type Write = (session: Session) => Promise<object | Nothing>;

type KeptAnswer = NonNullable<RequestDocument['answer']>;

/** What is kept of a change: its answer, and what its outcome says. */
interface KeptResult extends Pick<RequestDocument, 'state' | 'reason'> {
  answer: KeptAnswer;
}

/** The reply in the dialect of the operation. */
export const refusedWith = (rejection: Rejection, { op }: AcceptedRequest): Reply => ({
  status: rejection.status,
  body: JSON.stringify(errorBodyIn(operationById(op)?.dialect, rejection)),
  headers: errorHeadersOf(rejection),
});

/** The reply to a request whose work has thrown a rejection; another error is thrown on. */
export const orRefused =
  (request: AcceptedRequest) =>
  (error: unknown): Reply => {
    if (isRejection(error)) return refusedWith(error, request);
    throw error;
  };

const refusal = (rejection: Rejection, request: AcceptedRequest): KeptAnswer => {
  const { status, body } = refusedWith(rejection, request);
  return { status, body, code: rejection.code };
};

/** An answer that is kept is the answer to each repetition. */
const finalHeaders = { [retryHeader]: 'false' };

const replyOf = ({ code, ...answer }: KeptAnswer): Reply => ({
  ...answer,
  ...(code !== undefined &&
    isRejectionCode(code) && { headers: errorHeadersOf({ code, headers: finalHeaders }) }),
});

const internal = new Rejection('INTERNAL', { headers: finalHeaders });

export const failedReply = (request: AcceptedRequest): Reply => refusedWith(internal, request);

/** The reply to a request that failed for good. The outcome of a write says so too. */
export const failForGood =
  ({ outcomes }: Pick<Store, 'outcomes'>) =>
  async (request: AcceptedRequest, reason: string): Promise<Reply> => {
    if (operationById(request.op)?.kind === 'write') await outcomes.fail(request, reason);
    return failedReply(request);
  };

const done = ({ op }: AcceptedRequest, written: object): KeptResult => {
  const [body, reason] = written instanceof Nothing ? [written.body, written.reason] : [written];
  const answer = { status: operationById(op)?.success ?? 200, body: JSON.stringify(body) };
  return { state: 'applied', answer, ...(reason !== undefined && { reason }) };
};

const refused = (rejection: Rejection, request: AcceptedRequest): KeptResult => ({
  state: 'failed',
  reason: rejection.message,
  answer: refusal(rejection, request),
});

type Once = (request: AcceptedRequest, prepare: () => Promise<Write>) => Promise<Reply>;

export const createOnce = ({ requests, transact, outcomeDaysOf }: Store): Once => {
  /** With the answer of before, if there is one. */
  const keep = async (
    request: AcceptedRequest,
    keptOf: (...given: Parameters<Write>) => Promise<KeptResult>,
  ) => {
    const days = await outcomeDaysOf(request.ws);
    return transact(async (session) => {
      const mark = await requests.findOne({ _id: request.id }, { session });
      if (mark) return mark.answer ?? refusal(internal, request);
      const kept = await keptOf(session);
      await requests.insertOne(markOf(request, kept, days), { session });
      return kept.answer;
    });
  };

  return async (request, prepare) => {
    try {
      const write = await prepare();
      return replyOf(await keep(request, async (session) => done(request, await write(session))));
    } catch (error) {
      if (!isRejection(error) || error.status >= 500) throw error;
      return replyOf(await keep(request, async () => refused(error, request)));
    }
  };
};
