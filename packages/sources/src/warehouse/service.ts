/** A warehouse that is asked over HTTP: what differs between them, and how a statement is begun, waited for, read part by part and ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { bounds, type Limits } from '../bounds.ts';
import { exchangeJson } from '../http/exchange.ts';
import { listAt, listOf } from '../members.ts';
import type { Session } from '../server/protocol.ts';
import type { Tls } from '../settings.ts';
import { inWords, SourceError } from '../source-error.ts';
import type { Dialect, SqlColumn } from '../sql/dialect.ts';
import type { Raw } from '../sql/rows.ts';
import type { Statement } from '../sql/statements.ts';
import type { Named } from '../sql/table.ts';
import { type Dictionary, failure, foreign, type Place, refusal, tooLong } from './errors.ts';

/** A request: POST with a body, GET without. */
export interface Call {
  /** With what stands behind `?`. */
  readonly path: string;
  readonly body?: object;
}

export type State = 'running' | 'done' | { readonly failed: string };

/** A part of a result, and the answer that told of the whole. */
interface Part {
  readonly handle: string;
  readonly at: number;
  readonly first: unknown;
  readonly answer: unknown;
}

export interface Service {
  readonly place: Place;
  readonly endpoint: URL;
  readonly tls: Tls | undefined;
  readonly dialect: Dialect;
  /** A statement reads no more rows. */
  readonly mostRows: number;
  readonly headers: () => Readonly<Record<string, string>>;
  /** The codes of its errors. */
  readonly words: Dictionary;
  readonly codeOf: (refused: unknown) => string;
  readonly begin: (statement: Statement, ms: number) => Call;
  /** What names the statement later on, from the answer to `begin`; empty: there is no such name. */
  readonly handleOf: (begun: unknown) => string;
  readonly result: (handle: string) => Call;
  readonly stateOf: (answer: unknown) => State;
  readonly cancel: (handle: string) => Call;
  readonly rowsOf: (answer: unknown) => readonly Raw[];
  readonly next: (part: Part) => Call | undefined;
  /** How many rows the whole result has; undefined: it was cut, and the next statement goes on behind its last row. */
  readonly totalOf: (first: unknown) => number | undefined;
  /** Where columns can be asked for without a statement. */
  readonly describe?: (named: Named) => Call;
  readonly columnsOf: (answer: unknown) => readonly SqlColumn[];
}

export interface Asking extends Session {
  readonly signal: AbortSignal;
  readonly limits: Limits;
}

/** Time for a statement to be ended in the server. */
const cancelMs = 5_000;
const [firstPauseMs, mostPauseMs] = [5, 1_000];

/** Rows as lists of texts and nulls. */
export const textRows = (answer: unknown, path: string): readonly Raw[] =>
  listAt(answer, path).map((row) => listOf(row).map((cell) => (typeof cell === 'string' ? cell : null)));

export const ask = async (
  { place, endpoint, tls, headers, words, codeOf }: Service,
  { path, body }: Call,
  { signal, limits }: Pick<Asking, 'signal' | 'limits'>,
): Promise<unknown> => {
  const { status, value } = await exchangeJson({
    url: new URL(path, endpoint),
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'roster',
      ...headers(),
    },
    ...(body && { body: JSON.stringify(body) }),
    tls,
    mostBytes: bounds.answerBytes,
    limits,
    signal,
  });
  if (status < 200 || status > 299) throw refusal(status, codeOf(value), words, place);
  if (value === undefined) throw foreign(place);
  return value;
};

const resultOf = async (service: Service, handle: string, asking: Asking): Promise<unknown> => {
  const until = performance.now() + asking.limits.statementMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, mostPauseMs)) {
    const answer = await ask(service, service.result(handle), asking);
    const state = service.stateOf(answer);
    if (state === 'done') return answer;
    if (typeof state === 'object') throw failure(state.failed, service.words, service.place);
    if (performance.now() > until) throw inWords(tooLong, service.place);
    await sleep(pauseMs, undefined, { signal: asking.signal });
  }
};

/** A statement that has no result yet is ended in the server. */
export const run = async (service: Service, statement: Statement, asking: Asking) => {
  // The answer is waited for also when nobody wants the rows any more: without its name a statement can't be ended.
  const call = service.begin(statement, asking.limits.statementMs);
  const begun = await ask(service, call, { ...asking, signal: new AbortController().signal });
  const handle = service.handleOf(begun);
  if (!handle) throw foreign(service.place);
  try {
    asking.signal.throwIfAborted();
    return { handle, first: await resultOf(service, handle, asking) };
  } catch (error) {
    const ending = { ...asking, signal: AbortSignal.timeout(cancelMs) };
    // The first error counts; a statement that can't be cancelled ends by the limit of the warehouse.
    await ask(service, service.cancel(handle), ending).catch(() => {});
    throw error;
  }
};

/** Part by part. `more` is its last word where the server has cut the result. */
export async function* rawRows(
  service: Service,
  statement: Statement,
  asking: Asking,
): AsyncGenerator<readonly Raw[] | 'more', void, undefined> {
  const { handle, first } = await run(service, statement, asking);
  const total = service.totalOf(first);
  let [read, answer] = [0, first];
  for (let at = 0; ; at += 1) {
    const rows = service.rowsOf(answer);
    read += rows.length;
    if (rows.length > 0) yield rows;
    const call = service.next({ handle, at, first, answer });
    if (!call) break;
    answer = await ask(service, call, asking);
  }
  if (total === undefined ? read === 0 : total !== read)
    throw new SourceError(
      'server_error',
      `${service.place.at} sent ${read} rows of a result of ${total ?? 'more'}: parts of it are missing`,
    );
  if (total === undefined) yield 'more';
}
