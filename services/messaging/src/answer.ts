import { createAnswering } from '@roster/batch';
import { type AcceptedRequest, lineOf, unpackExact } from '@roster/contract';
import type { Templates } from '@roster/liquid';
import type { Tools } from './handler.ts';
import { handlers } from './handlers.ts';

export interface AnswerOptions extends Omit<Tools, 'liquid'> {
  /** What the templates of a workspace cost is charged to it, beyond the price of the request. */
  liquidOf(ws: string): Templates;
}

/** Long whole numbers of an audience are texts on their way. */
const exactly = (request: AcceptedRequest): AcceptedRequest =>
  request.exact ? { ...request, body: unpackExact(request.body) } : request;

export const createAnswer = ({ liquidOf, ...tools }: AnswerOptions) => {
  const answer = createAnswering<Tools>({
    store: tools.store,
    handlerOf: (op) => lineOf(handlers, op),
    toolsFor: ({ ws }) => ({ ...tools, liquid: liquidOf(ws) }),
  });
  return (requests: readonly AcceptedRequest[]) => answer(requests.map(exactly));
};
