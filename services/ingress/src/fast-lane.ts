import type { RequestListener, ServerResponse } from 'node:http';
import type { Operation } from '@roster/contract';
import { callerOf, type Trusts } from '@roster/runtime';
import type { OperationHandler } from './operation-handler.ts';

export interface Ways {
  handlers: ReadonlyMap<Operation, OperationHandler>;
  trusts: Trusts;
  /** Handles all paths that are not in the table word for word. */
  express: RequestListener;
  /** Answers an unexpected error of a handler; Express has an error handler of its own. */
  bug(error: unknown, response: ServerResponse): void;
}

type ByMethod = Map<string, OperationHandler>;

/** By path, with and without a slash at its end; Express parses the paths with parameters. */
const tableOf = (handlers: Ways['handlers']): Map<string, ByMethod> => {
  const table = new Map<string, ByMethod>();
  for (const [{ method, path }, handle] of handlers) {
    if (path.includes('{')) continue;
    for (const spelling of [path, `${path}/`]) {
      table.set(spelling, (table.get(spelling) ?? new Map<string, OperationHandler>()).set(method, handle));
    }
  }
  return table;
};

/** A path that stands in the table costs two look-ups; the way through Express would double the cost of a small request. */
export const createFastLane = ({ handlers, trusts, express, bug }: Ways): RequestListener => {
  const table = tableOf(handlers);
  return (request, response) => {
    const { method = '', url = '' } = request;
    const query = url.indexOf('?');
    const handle = table.get(query < 0 ? url : url.slice(0, query))?.get(method);
    if (!handle) return express(request, response);
    handle(request, response, callerOf(request, trusts), {}).catch((error) => bug(error, response));
  };
};
