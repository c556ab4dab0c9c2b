/** From a request in the queue to the reply that its caller gets. */
import { type CompanySettings, companyIn } from '@roster/access';
import { createLines, orRefused } from '@roster/batch';
import { type AcceptedRequest, lineOf, operationById } from '@roster/contract';
import type { Reply } from '@roster/queue';
import { createBreath } from '@roster/store';
import type { ScimAnswer, ScimHandler, ScimTools } from './handler.ts';
import { handlers } from './handlers.ts';
import { limits as usualLimits } from './limits.ts';
import { tooLate } from './refusals.ts';
import { isAwaited } from './users/in-time.ts';
import { createWork } from './work.ts';

const replyOf = ({ status, body, headers }: ScimAnswer): Reply => ({
  status,
  body: body === undefined ? '' : JSON.stringify(body),
  ...(headers && { headers }),
});

/** Under an idempotency key a caller asks again for the same change: it waits since then, and says it as of then. */
const asAskedLast = (request: AcceptedRequest): AcceptedRequest => ({
  ...request,
  at: request.again ?? request.at,
});

const isWrite = ({ op }: AcceptedRequest): boolean => operationById(op)?.kind === 'write';

/** Two lines for each company: its changes, in the order in which they were accepted, and its reads. No company waits for another. */
const lineKey = (request: AcceptedRequest): string => `${isWrite(request) ? 'write' : 'read'} ${request.ws}`;

/** Clock and limits are others in tests. */
export const createAnswer = (tools: ScimTools, { now = Date.now, limits = usualLimits } = {}) => {
  const inLine = createLines();
  /** One for the process: all requests share one slice of the event loop. */
  const breathe = createBreath(limits.sliceMs);

  const answer = async (request: AcceptedRequest): Promise<Reply> => {
    const handler = lineOf<Record<string, ScimHandler>>(handlers, request.op);
    if (!isAwaited(request, { ...tools, now })) throw tooLate();
    const company = await tools.store.companies.get<CompanySettings>(companyIn(request.ws));
    if (!company) throw tooLate();
    const work = createWork(limits, breathe);
    return replyOf(await handler(request, { ...tools, company, now, limits, work }));
  };

  return async (requests: readonly AcceptedRequest[]): Promise<Reply[]> => {
    const replies = new Map<string, Reply>();
    const inOrder = requests.map(asAskedLast).toSorted((a, b) => a.at - b.at);
    const answering = inOrder.map((request) =>
      inLine(lineKey(request), async () =>
        replies.set(request.id, await answer(request).catch(orRefused(request))),
      ),
    );
    // All of them, also when one fails: a batch that is tried again must not meet what is left of itself.
    const results = await Promise.allSettled(answering);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return requests.flatMap(({ id }) => replies.get(id) ?? []);
  };
};
