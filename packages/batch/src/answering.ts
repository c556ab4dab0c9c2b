/** Workers that answer: from a request in the queue to the reply that its caller gets. */
import { type AcceptedRequest, operationById, stringifyExact } from '@roster/contract';
import type { Reply } from '@roster/queue';
import type { Store } from '@roster/store';
import { createOnce, orRefused, type Write } from './once.ts';

/** What a read shows; `link` is the value of the header `Link`. */
export interface ReadResult {
  body: object;
  link?: string | undefined;
}

/** The two kinds of handlers. The status of their answer stands in the row of the operation; what they refuse they throw, as a rejection. */
export type Handler<Tools> =
  /** Does what needs no transaction, such as looking at templates, and returns the rest. */
  | { readonly change: (request: AcceptedRequest, tools: Tools) => Promise<Write> }
  /** The body of the answer. */
  | { readonly read: (request: AcceptedRequest, tools: Tools) => Promise<object> }
  | { readonly show: (request: AcceptedRequest, tools: Tools) => Promise<ReadResult> };

/** The answer of a read whose row has `fresh`. */
export const withFreshness = (reply: Reply, isFresh: boolean): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'X-Roster-Fresh': String(isFresh) },
});

interface Answering<Tools> {
  store: Store;
  handlerOf(op: string): Handler<Tools>;
  toolsFor(request: AcceptedRequest): Tools;
  /** Waits until everything accepted before the request is applied, and tells whether it is. */
  fresh?(request: AcceptedRequest): Promise<boolean>;
}

export const createAnswering = <Tools>({ store, handlerOf, toolsFor, fresh }: Answering<Tools>) => {
  const once = createOnce(store);

  const shownBy = async (handler: Exclude<Handler<Tools>, { change: unknown }>, request: AcceptedRequest) => {
    const tools = toolsFor(request);
    const { body, link }: ReadResult =
      'show' in handler ? await handler.show(request, tools) : { body: await handler.read(request, tools) };
    return {
      status: 200,
      body: stringifyExact(body),
      ...(link !== undefined && { headers: { Link: link } }),
    };
  };

  const answer = async (request: AcceptedRequest): Promise<Reply> => {
    const handler = handlerOf(request.op);
    if ('change' in handler) return once(request, () => handler.change(request, toolsFor(request)));
    const isFresh = operationById(request.op)?.fresh && (await fresh?.(request));
    const reply = await shownBy(handler, request).catch(orRefused(request));
    return isFresh === undefined ? reply : withFreshness(reply, isFresh);
  };

  /** One after the other, in the order in which they were accepted: changes of one workspace would only meet in MongoDB. */
  return async (requests: readonly AcceptedRequest[]): Promise<Reply[]> => {
    const replies = new Map<string, Reply>();
    for (const request of requests.toSorted((a, b) => a.at - b.at))
      replies.set(request.id, await answer(request));
    return requests.flatMap(({ id }) => replies.get(id) ?? []);
  };
};
