import { createAnswering } from '@roster/batch';
import type { Channels } from '@roster/channels';
import { type AcceptedRequest, lineOf, unpackExact } from '@roster/contract';
import type { Templates } from '@roster/liquid';
import type { Tools } from './handler.ts';
import { handlers } from './handlers.ts';

export interface AnswerOptions extends Omit<Tools, 'liquid' | 'emailFault'> {
  /** What the templates and emails of a workspace cost is charged to it, beyond the price of the request. */
  liquidOf(ws: string): Templates;
  emailFault: Channels['emailFault'];
}

/** Long whole numbers of audiences and messages are texts on their way. */
const exactly = (request: AcceptedRequest): AcceptedRequest =>
  request.exact ? { ...request, body: unpackExact(request.body) } : request;

export const createAnswer = ({ liquidOf, emailFault, ...tools }: AnswerOptions) => {
  const answer = createAnswering<Tools>({
    store: tools.store,
    handlerOf: (op) => lineOf(handlers, op),
    toolsFor: ({ ws }) => ({
      ...tools,
      liquid: liquidOf(ws),
      emailFault: (content) => emailFault(ws, content),
    }),
  });
  return (requests: readonly AcceptedRequest[]) => answer(requests.map(exactly));
};
