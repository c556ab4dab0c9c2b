/** The judge: what of a request is accepted, and what is answered. The envelope first (fatal), then each entry by itself. */

import {
  asDoubles,
  bodyMustBeAnObject,
  deepestEntry,
  type EntryError,
  isJsonObject,
  type JsonObject,
  type JudgeSettings,
  listAt,
  type OperationOf,
  placeBeyond64,
  type Query,
  Rejection,
  type RejectionCode,
  operations as table,
  typoIn,
} from '@roster/contract';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { codedFault } from './coded-members.ts';
import { judgeArray, within64Bits } from './entries.ts';
import { firstOf } from './first-of.ts';
import { createWithoutNulls, type WithoutNulls } from './nulls.ts';
import { errorIn, sentenceOf } from './sentences.ts';
import { createValidators, type Validators } from './validators.ts';

export interface JudgeInput {
  params?: Record<string, string>;
  query?: Query;
  body?: unknown;
  /** The body holds numbers that a double does not hold. */
  exact?: boolean;
  /** How deep objects and arrays stand inside each other in the body; shallow when it is left out. */
  depth?: number;
}

type Accepted = Pick<JudgeInput, 'params' | 'query' | 'body'>;

export type Verdict =
  | {
      ok: true;
      accepted: Accepted;
      /** How much work it is: accepted entries, 1 when the operation has none. */
      entries: number;
      /** What a receipt answers; a result is answered by its worker. */
      answer: { status: number; body: Record<string, unknown> };
    }
  | { ok: false; rejection: Rejection };

export type Judge = (operation: OperationOf<string>, input: JudgeInput, settings: JudgeSettings) => Verdict;

interface Compiled {
  validators: Validators;
  nulls: Nulls;
}

/** Compiles the schemas of these operations now, and of another one at its first request. */
export function createJudge(operations: readonly OperationOf<string>[] = table): Judge {
  const validatorsOf = createValidators();
  const compiled = new Map<string, Compiled>();
  const compile = (operation: OperationOf<string>): Compiled => {
    const all = { validators: validatorsOf(operation), nulls: nullsOf(operation) };
    compiled.set(operation.id, all);
    return all;
  };
  for (const operation of operations) compile(operation);
  return (operation, sent, settings) => {
    const { validators, nulls } = compiled.get(operation.id) ?? compile(operation);
    const input = nulls.body ? { ...sent, body: nulls.body(sent.body) } : sent;
    const rejection =
      parametersFault(validators, input) ??
      firstOf(operation.queryRules, input.query ?? {}, settings) ??
      depthFault(operation, input) ??
      bodyFault(operation, validators, input, settings);
    if (rejection) return { ok: false, rejection: withTypo(rejection, operation, input) };
    return operation.entries
      ? judgeEntries(operation, { validators, nulls }, input, settings)
      : acceptWhole(operation, input);
  };
}

/** For tests, which use few operations. */
export const createLateJudge = (): Judge => createJudge([]);

/** How `null` is taken away from the body, and from the entries of each kind. */
interface Nulls {
  body: WithoutNulls | undefined;
  entries: (WithoutNulls | undefined)[];
}

function nullsOf({ request, entries = [] }: OperationOf<string>): Nulls {
  const apart = new Set(entries.map(({ array }) => array));
  return {
    body: request.body && createWithoutNulls(request.body, apart),
    entries: entries.map(({ schema }) => createWithoutNulls(schema)),
  };
}

function parametersFault({ params, query }: Validators, input: JudgeInput): Rejection | undefined {
  return (
    (params && shapeFault(params, input.params ?? {}, 'PARAMETER_INVALID')) ??
    (query && shapeFault(query, input.query ?? {}, 'PARAMETER_INVALID'))
  );
}

const isDeep = ({ depth = 0 }: JudgeInput): boolean => depth > deepestEntry;

/** Where there are entries, each of them is judged for its own depth. */
function depthFault({ entries }: OperationOf<string>, input: JudgeInput): Rejection | undefined {
  return isDeep(input) && !entries ? new Rejection('BODY_TOO_DEEP') : undefined;
}

function bodyFault(
  operation: OperationOf<string>,
  { body: isShaped, coded }: Validators,
  { body, exact = false }: JudgeInput,
  settings: JudgeSettings,
): Rejection | undefined {
  if (!isShaped) return undefined;
  if (!isJsonObject(body)) return new Rejection('BODY_INVALID', { message: bodyMustBeAnObject });
  const most = operation.mostEntries?.(settings) ?? settings.maxUpdates;
  if (operation.entries && countEntries(operation, body) > most)
    return new Rejection(operation.tooManyEntries ?? 'TOO_MANY_ENTRIES');
  const shaped = exact ? (asDoubles(body) as JsonObject) : body;
  return (
    (exact && !operation.entries ? numberFault(body) : undefined) ??
    codedFault(coded, shaped) ??
    firstOf(operation.before, body, settings) ??
    shapeFault(isShaped, shaped, 'BODY_INVALID') ??
    firstOf(operation.rules, body, settings)
  );
}

/** Where there are entries, each is judged for its own numbers. */
function numberFault(body: JsonObject): Rejection | undefined {
  const place = placeBeyond64(body);
  if (place === undefined) return undefined;
  return new Rejection('BODY_INVALID', { message: `${place.replace(/^\./, '')} ${within64Bits}` });
}

/** What was refused may be a misspelt member that was passed over. */
function withTypo(rejection: Rejection, { request }: OperationOf<string>, { body }: JudgeInput): Rejection {
  const { code, status, message } = rejection;
  const typo =
    status === 400 && isJsonObject(body)
      ? typoIn(body, Object.keys(request.body?.properties ?? {}))
      : undefined;
  if (!typo || message.startsWith(typo[0])) return rejection;
  const told = `${message}${message.endsWith('.') ? '' : '.'} '${typo[0]}' ${typo[1]}`;
  return Object.assign(new Rejection(code), { ...rejection, message: told });
}

function countEntries({ entries = [] }: OperationOf<string>, body: JsonObject): number {
  return entries.reduce((count, { array }) => count + listAt(body, array).length, 0);
}

function shapeFault(isShaped: ValidateFunction, value: unknown, code: RejectionCode): Rejection | undefined {
  const error = errorIn(isShaped, value);
  return error && new Rejection(code, { message: sentenceOf(error, '') });
}

function acceptWhole(operation: OperationOf<string>, { params, query, body }: JudgeInput): Verdict {
  const accepted: Accepted = {};
  if (operation.request.params && params) accepted.params = declared(operation.request.params, params);
  if (operation.request.query && query) accepted.query = declared(operation.request.query, query);
  if (operation.request.body) {
    const known = declared(operation.request.body, body as JsonObject);
    accepted.body = operation.tidy ? operation.tidy(known) : known;
  }
  return {
    ok: true,
    accepted,
    entries: operation.size ? operation.size(isJsonObject(body) ? body : {}) : 1,
    answer: { status: operation.success, body: { message: 'success' } },
  };
}

/** Unknown members are tolerated and go no further, unless the schema says that they belong. */
function declared<T extends Record<string, unknown>>(
  schema: { properties: Record<string, unknown>; additionalProperties?: unknown },
  given: T,
): T {
  if (schema.additionalProperties === true) return given;
  const known = Object.keys(schema.properties).filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(known.map((name) => [name, given[name]])) as T;
}

function judgeEntries(
  operation: OperationOf<string>,
  { validators, nulls }: Compiled,
  input: JudgeInput,
  settings: JudgeSettings,
): Verdict {
  const sent = input.body as JsonObject;
  const errors: EntryError[] = [];
  const known = operation.request.body;
  const body: Record<string, unknown> = { ...(known && declared(known, sent)) };
  const answer: Record<string, unknown> = {};
  let entries = 0;
  let untouched = true;
  for (const [position, kind] of (operation.entries ?? []).entries()) {
    const array = sent[kind.array];
    const isShaped = validators.entries[position];
    if (!Array.isArray(array) || !isShaped) continue;
    const judging = {
      kind,
      isShaped,
      settings,
      deep: isDeep(input),
      exact: input.exact === true,
      withoutNulls: nulls.entries[position],
    };
    const { kept, accepted } = judgeArray(judging, array, errors);
    body[kind.array] = kept;
    if (array.length === 0) delete body[kind.array];
    untouched &&= kept === array;
    if (accepted > 0) answer[kind.counter] = accepted;
    entries += accepted;
  }
  if (entries === 0 && !operation.mayBeEmpty) {
    const rejection = new Rejection('NO_VALID_DATA', errors.length > 0 ? { errors } : {});
    return { ok: false, rejection: withTypo(rejection, operation, input) };
  }
  answer.message = 'success';
  if (errors.length > 0) answer.errors = errors;
  // The worker that answers with a result reports the entries that were refused here, too.
  if (errors.length > 0 && operation.answer === 'result') body.errors = errors;
  // Without a change the verdict holds the object that came in, so that its text can be stored as it came.
  const isWhole = untouched && Object.keys(sent).length === Object.keys(body).length;
  return {
    ok: true,
    accepted: { body: isWhole ? sent : body },
    entries,
    answer: { status: operation.success, body: answer },
  };
}
