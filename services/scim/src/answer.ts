/** From a request in the queue to the reply that its caller gets. */
import { type CompanySettings, companyIn } from '@roster/access';
import {
  type AcceptedRequest,
  errorHeadersOf,
  isRejection,
  lineOf,
  operationById,
  Rejection,
  scimErrorBody,
} from '@roster/contract';
import type { Reply } from '@roster/queue';
import type { Answer, Handler, Tools } from './handler.ts';
import { handlers } from './handlers.ts';
import { type Limits, limits as usualLimits } from './limits.ts';
import { createLines } from './lines.ts';
import { createPace } from './pace.ts';
import { isAwaited } from './users/in-time.ts';
import { createWork } from './work.ts';

const replyOf = ({ status, body, headers }: Answer): Reply => ({
  status,
  body: body === undefined ? '' : JSON.stringify(body),
  ...(headers && { headers }),
});

const rejected = (rejection: Rejection): Reply =>
  replyOf({
    status: rejection.status,
    body: scimErrorBody(rejection),
    headers: { ...errorHeadersOf(rejection), ...(rejection.status === 503 && { 'Retry-After': '1' }) },
  });

const gone = rejected(new Rejection('UNAVAILABLE'));
export const failed = rejected(new Rejection('INTERNAL'));

/** Under an idempotency key a caller asks again for the same change: it waits since then, and says it as of then. */
const asAskedLast = (request: AcceptedRequest): AcceptedRequest => ({
  ...request,
  at: request.again ?? request.at,
});

const isWrite = ({ op }: AcceptedRequest): boolean => operationById(op)?.kind === 'write';

/** Two lines for each company: its changes, in the order in which they were accepted, and its reads. No company waits for another. */
const lineKey = (request: AcceptedRequest): string => `${isWrite(request) ? 'write' : 'read'} ${request.ws}`;

export interface AnswerOptions {
  now?: () => number;
  /** Others in tests and fault trials. */
  limits?: Limits;
}

export const createAnswer = (tools: Tools, { now = Date.now, limits = usualLimits }: AnswerOptions = {}) => {
  const inLine = createLines();
  const breathe = createPace(limits.sliceMs);

  const handle = async (handler: Handler, request: AcceptedRequest): Promise<Reply> => {
    const company = await tools.store.companies.get<CompanySettings>(companyIn(request.ws));
    if (!company) return gone;
    try {
      const work = createWork(limits, breathe);
      return replyOf(await handler(request, { ...tools, company, now, limits, work }));
    } catch (error) {
      if (isRejection(error)) return rejected(error);
      throw error;
    }
  };

  const answer = async (request: AcceptedRequest): Promise<Reply> => {
    const handler = lineOf<Record<string, Handler>>(handlers, request.op);
    return isAwaited(request, { ...tools, now }) ? handle(handler, request) : gone;
  };

  return async (requests: readonly AcceptedRequest[]): Promise<Reply[]> => {
    const replies = new Map<string, Reply>();
    const inOrder = requests.map(asAskedLast).toSorted((a, b) => a.at - b.at);
    const answering = inOrder.map((request) =>
      inLine(lineKey(request), async () => replies.set(request.id, await answer(request))),
    );
    // All of them, also when one fails: a batch that is tried again must not meet what is left of itself.
    const results = await Promise.allSettled(answering);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return requests.map(({ id }) => replies.get(id) ?? failed);
  };
};
