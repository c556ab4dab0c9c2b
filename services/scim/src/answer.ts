/** From a request in the queue to the reply that its caller gets. */
import { type CompanySettings, companyIn } from '@roster/access';
import { type AcceptedRequest, isRejection, operationById, Rejection, scimErrorBody } from '@roster/contract';
import type { Reply } from '@roster/queue';
import type { Answer, Handler, Tools } from './handler.ts';
import { handlers } from './handlers.ts';
import { isAwaited } from './users/in-time.ts';

const replyOf = ({ status, body, headers }: Answer): Reply => ({
  status,
  body: body === undefined ? '' : JSON.stringify(body),
  ...(headers && { headers }),
});

const rejected = (rejection: Rejection): Reply =>
  replyOf({
    status: rejection.status,
    body: scimErrorBody(rejection),
    ...(rejection.status === 503 && { headers: { 'Retry-After': '1' } }),
  });

export const gone = rejected(new Rejection('UNAVAILABLE'));
export const failed = rejected(new Rejection('INTERNAL'));

export const createAnswer = (tools: Tools, now = Date.now) => {
  const handle = async (handler: Handler, request: AcceptedRequest): Promise<Reply> => {
    const company = await tools.store.companies.get<CompanySettings>(companyIn(request.ws));
    if (!company) return gone;
    try {
      return replyOf(await handler(request, { ...tools, company, now }));
    } catch (error) {
      if (isRejection(error)) return rejected(error);
      throw error;
    }
  };

  const answer = async (request: AcceptedRequest): Promise<Reply> => {
    const handler = (handlers as Partial<Record<string, Handler>>)[request.op];
    if (!handler) return rejected(new Rejection('URL_INVALID'));
    return isAwaited(request, { ...tools, now }) ? handle(handler, request) : gone;
  };

  const isWrite = ({ op }: AcceptedRequest): boolean => operationById(op)?.kind === 'write';

  /** Changes one after the other, in the order in which they were accepted; what only reads does not wait for them. */
  return async (requests: readonly AcceptedRequest[]): Promise<Reply[]> => {
    const replies = new Map<string, Reply>();
    const reads = requests.filter((request) => !isWrite(request));
    const reading = Promise.all(reads.map(async (request) => replies.set(request.id, await answer(request))));
    const writing = async () => {
      for (const request of requests.filter(isWrite).sort((a, b) => a.at - b.at))
        replies.set(request.id, await answer(request));
    };
    await Promise.all([reading, writing()]);
    return requests.map(({ id }) => replies.get(id) ?? failed);
  };
};
