/** The answer of a server, and the result of each entry: refused, failed, or ignored with a reason. Pure. */
import type { EntryError } from '@roster/contract';
import { isRecord, type JsonObject, recordsIn } from '../json.ts';
import type { Fault } from './row.ts';

/** The result of one entry. */
interface Fate {
  result: string;
  reason: string;
}

/** The outcome of a request: known only after waiting for it. */
export interface Outcome {
  state: 'applied' | 'failed';
  /** Why it failed. */
  reason: string;
  /** By array, in the order in which they were sent. */
  entries: Readonly<Record<string, readonly Fate[]>>;
  /** The ignored parts of applied entries: field and reason. */
  notes: readonly string[];
}

export interface Answer {
  status: number;
  message: string;
  errors: EntryError[];
  outcome?: Outcome;
  /** Of a read: every request accepted before it is in it. */
  isFresh?: true;
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const membersIn = (value: unknown): JsonObject => (isRecord(value) ? value : {});
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const isEntryError = (value: unknown): value is EntryError =>
  isRecord(value) && typeof value.index === 'number' && typeof value.input_array === 'string';

/** Renames report their failures in a form of their own: position and reason. */
const renameError = (value: unknown): EntryError[] => {
  const [index, type] = listIn(value);
  if (typeof index !== 'number' || typeof type !== 'string') return [];
  return [{ type, code: 'NOT_RENAMED', input_array: 'external_id_renames', index }];
};

const fateIn = (value: unknown): Fate => {
  const { result, reason } = membersIn(value);
  return { result: textIn(result), reason: textIn(reason) };
};

const noteIn = ({ field, input_array, reason }: JsonObject): string =>
  `${textIn(field) || textIn(input_array)}: ${textIn(reason)}`;

/** `undefined` while it is queued, and for answers without an outcome. */
const outcomeIn = ({ state, reason, entries, notes }: JsonObject): Outcome | undefined => {
  if (state !== 'applied' && state !== 'failed') return undefined;
  const arrays = Object.entries(membersIn(entries)).map(([name, all]) => [name, listIn(all).map(fateIn)]);
  return {
    state,
    reason: textIn(reason),
    entries: Object.fromEntries(arrays),
    notes: recordsIn(notes).map(noteIn),
  };
};

/** `said` is the body: an object, or the text of what is no JSON. */
export const answerOf = (status: number, said: unknown): Answer => {
  const body = membersIn(said);
  const text = typeof said === 'string' ? said : (JSON.stringify(said) ?? '');
  const outcome = outcomeIn(body);
  return {
    status,
    message: typeof body.message === 'string' ? body.message : text.slice(0, 200),
    errors: [...listIn(body.errors).filter(isEntryError), ...listIn(body.rename_errors).flatMap(renameError)],
    ...(outcome && { outcome }),
  };
};

/** The result of an entry without its intended effect. */
export interface Mishap extends Fault {
  /** Why it was ignored; otherwise it was refused. */
  reason?: string;
}

/** The meaning of a reason in an outcome; other reasons are shown as they are. */
const ignored: Readonly<Record<string, string>> = {
  no_such_user: 'no person has this identifier, and such an entry creates none',
  deleted: 'the person was deleted after it was sent',
  token_known: 'a person has the push token already',
  profile_full: 'the profile is as large as it may be',
  too_much_to_load: 'the people of the request are more than one request may load',
  more_than_one_match: 'more than one person is meant',
};

const mishapOf = ({ result, reason }: Fate): Mishap | undefined => {
  if (result === 'refused') return { code: reason, sentence: 'was refused when it was applied' };
  if (result !== 'ignored') return undefined;
  const sentence = Object.hasOwn(ignored, reason) ? ignored[reason] : undefined;
  return { code: 'IGNORED', sentence: sentence ?? reason, reason };
};

/** For the entry at this position of that array; `undefined` when it is in, or when its result is unknown. */
export const mishapIn = (
  { errors, outcome }: Pick<Answer, 'errors' | 'outcome'>,
  array: string,
  index: number,
): Mishap | undefined => {
  const error = errors.find((one) => one.input_array === array && one.index === index);
  if (error) return { code: error.code, sentence: error.type };
  if (outcome?.state === 'failed')
    return { code: 'NOT_APPLIED', sentence: `could not be applied: ${outcome.reason}` };
  const fate = outcome?.entries[array]?.[index];
  return fate && mishapOf(fate);
};
