import { createAnswering } from '@roster/batch';
import { type AcceptedRequest, lineOf, unpackExact } from '@roster/contract';
import type { Tools } from './handler.ts';
import { handlers } from './handlers.ts';

/** Long whole numbers of audiences and messages are texts on their way. */
const exactly = (request: AcceptedRequest): AcceptedRequest =>
  request.exact ? { ...request, body: unpackExact(request.body) } : request;

type Parts = Tools & {
  /** Waits up to a second until what was accepted before this stamp is applied. */
  fresh(at: number, ws: string): Promise<boolean>;
};

export const createAnswer = ({ fresh, ...tools }: Parts) => {
  const answer = createAnswering<Tools>({
    store: tools.store,
    handlerOf: (op) => lineOf(handlers, op),
    toolsFor: () => tools,
    fresh: ({ at, ws }) => fresh(at, ws),
  });
  return (requests: readonly AcceptedRequest[]) => answer(requests.map(exactly));
};
