/** The functions, under the words of their operations' ids. */

import { pathOf, type Query, queryOf } from './address.ts';
import type { CallOptions, Sent } from './call-options.ts';
import { isObject } from './is-object.ts';
import { jsonOf } from './json-text.ts';
import { withRows } from './pages.ts';
import { rowOf } from './row-of.ts';
import type { Send } from './send.ts';
import { type Known, table } from './table.ts';

type Call = (...args: unknown[]) => Promise<object>;

const paramsIn = ({ path }: Known): number => path.split('{').length - 1;

/** By the operation's id, for bodies that are text already. */
export const createCallById =
  (url: string, send: Send) =>
  async (id: string, sent: Sent = {}, options: CallOptions = {}): Promise<object> => {
    const row = rowOf(id);
    const { params = [], query, body, json = jsonOf(body ?? {}, 'body') } = sent;
    return send({
      row,
      url: url + pathOf(row.path, params) + queryOf(query),
      body: row.body ? json : undefined,
      options,
    });
  };

/** Parameters of the path in their order, then the body, then the query, then options: what the operation has of them. */
const plainCall = (row: Known, url: string, send: Send): Call => {
  const params = paramsIn(row);
  const queryAt = params + (row.body ? 1 : 0);
  const optionsAt = queryAt + (row.query ? 1 : 0);
  return async (...args) =>
    send({
      row,
      url: url + pathOf(row.path, args) + (row.query ? queryOf(args[queryAt] as Query | undefined) : ''),
      body: row.body ? jsonOf(args[params] ?? {}, 'body') : undefined,
      options: (args[optionsAt] as CallOptions | undefined) ?? {},
    });
};

/** The query stands after the parameters of the path: no operation with pages has a body. */
const createCall = (row: Known, url: string, send: Send): Call => {
  const call = plainCall(row, url, send);
  const { paging } = row;
  if (!paging) return call;
  const at = paramsIn(row);
  return (...args) =>
    withRows(call(...args), {
      paging,
      query: (args[at] as Query | undefined) ?? {},
      ask: (query) => call(...args.slice(0, at), query, ...args.slice(at + 1)),
    });
};

/** A function has a `name` and a `length` of its own: what is put there is defined. */
const put = (place: object, word: string, value: unknown): void => {
  Object.defineProperty(place, word, { value, enumerable: true, configurable: true });
};

/** An operation may have others below it, `users.track.bulk`: those before it in the table may stand below it all the same. */
const placeFor = (root: object, words: readonly string[]): object =>
  words.reduce<object>((place, word) => {
    const there: unknown = Object.hasOwn(place, word) ? Reflect.get(place, word) : undefined;
    if (isObject(there) || typeof there === 'function') return there;
    const made = {};
    put(place, word, made);
    return made;
  }, root);

const byDepth = (a: Known, b: Known): number => a.id.split('.').length - b.id.split('.').length;

/** Puts the functions on the client. A word that a class of the caller has already is left to it. */
export const addTree = (client: object, url: string, send: Send): void => {
  const root = {};
  const rows = [...table].sort(byDepth);
  const calls = new Map<string, Call | undefined>(rows.map((row) => [row.id, createCall(row, url, send)]));
  // A name that is shorter than its id.
  calls.set('subscription.set', calls.get('subscription.status.set'));
  for (const [name, call] of calls) {
    const words = name.split('.');
    put(placeFor(root, words.slice(0, -1)), words.at(-1) ?? '', call);
  }
  for (const [word, value] of Object.entries(root)) if (!(word in client)) put(client, word, value);
};
