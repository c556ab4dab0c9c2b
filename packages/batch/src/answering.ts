/** Workers that answer: from a request in the queue to the reply that its caller gets. */
import { type AcceptedRequest, isRejection } from '@roster/contract';
import type { Reply } from '@roster/queue';
import type { Store } from '@roster/store';
import { createOnce, refusedWith, type Write } from './once.ts';

/** The two kinds of handlers. The status of their answer stands in the row of the operation; what they refuse they throw, as a rejection. */
export type Handler<Tools, Shown> =
  /** Does what needs no transaction, such as looking at templates, and returns the rest. */
  | { readonly change: (request: AcceptedRequest, tools: Tools) => Write | Promise<Write> }
  | { readonly read: (request: AcceptedRequest, tools: Tools) => Promise<Shown> };

interface Answering<Tools, Shown> {
  store: Store;
  handlerOf(op: string): Handler<Tools, Shown>;
  toolsFor(request: AcceptedRequest): Tools;
  /** The body that tells what was read, and the value of the header `Link`. */
  show(shown: Shown): { body: object; link?: string | undefined };
}

export const createAnswering = <Tools, Shown>({
  store,
  handlerOf,
  toolsFor,
  show,
}: Answering<Tools, Shown>) => {
  const once = createOnce(store);

  const answer = async (request: AcceptedRequest): Promise<Reply> => {
    const [handler, tools] = [handlerOf(request.op), toolsFor(request)];
    if ('change' in handler) return once(request, async () => handler.change(request, tools));
    try {
      const { body, link } = show(await handler.read(request, tools));
      const headers = link === undefined ? {} : { headers: { Link: link } };
      return { status: 200, body: JSON.stringify(body), ...headers };
    } catch (error) {
      if (isRejection(error)) return refusedWith(error, request.op);
      throw error;
    }
  };

  /** One after the other, in the order in which they were accepted: changes of one workspace would only meet in MongoDB. */
  return async (requests: readonly AcceptedRequest[]): Promise<Reply[]> => {
    const replies = new Map<string, Reply>();
    for (const request of requests.toSorted((a, b) => a.at - b.at))
      replies.set(request.id, await answer(request));
    return requests.flatMap(({ id }) => replies.get(id) ?? []);
  };
};
