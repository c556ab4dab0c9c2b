/** From a request in the queue to the reply that its caller gets. */
import { type AcceptedRequest, isRejection, lineOf } from '@roster/contract';
import type { Templates } from '@roster/liquid';
import type { Reply } from '@roster/queue';
import type { Read, Tools } from './handler.ts';
import { handlers } from './handlers.ts';
import { createOnce, refusedWith } from './once.ts';

export interface AnswerOptions extends Omit<Tools, 'liquid'> {
  /** What the templates of a workspace cost is charged to it, beyond the price of the request. */
  liquidOf(ws: string): Templates;
}

export const createAnswer = ({ liquidOf, ...tools }: AnswerOptions) => {
  const once = createOnce(tools.store);
  const toolsFor = ({ ws }: AcceptedRequest): Tools => ({ ...tools, liquid: liquidOf(ws) });

  const readReply = async (request: AcceptedRequest, read: Read): Promise<Reply> => {
    try {
      return { status: 200, body: JSON.stringify(await read(request, toolsFor(request))) };
    } catch (error) {
      if (isRejection(error)) return refusedWith(error, request);
      throw error;
    }
  };

  const answer = (request: AcceptedRequest): Promise<Reply> => {
    const handler = lineOf(handlers, request.op);
    return 'read' in handler
      ? readReply(request, handler.read)
      : once(request, () => handler.change(request, toolsFor(request)));
  };

  /** One after the other, in the order in which they were accepted: changes of one workspace would only meet in MongoDB. */
  return async (requests: readonly AcceptedRequest[]): Promise<Reply[]> => {
    const replies = new Map<string, Reply>();
    for (const request of requests.toSorted((a, b) => a.at - b.at))
      replies.set(request.id, await answer(request));
    return requests.flatMap(({ id }) => replies.get(id) ?? []);
  };
};
