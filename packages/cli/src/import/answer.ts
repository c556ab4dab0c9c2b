/** What a server answered, and from it what became of each entry: refused, failed, or ignored with a reason. Pure. */
import type { EntryError } from '@roster/contract';
import { isRecord, type JsonObject, parsedJson, recordsIn } from '../json.ts';
import type { Fault } from './row.ts';

/** What became of one entry. */
interface Fate {
  result: string;
  reason: string;
}

/** What became of a request: known of those that were waited for. */
export interface Outcome {
  state: 'applied' | 'failed';
  /** Why it failed. */
  reason: string;
  /** By array, in the order in which they were sent. */
  entries: Readonly<Record<string, readonly Fate[]>>;
  /** What was ignored inside entries that were applied: field and reason. */
  notes: readonly string[];
}

export interface Answer {
  status: number;
  message: string;
  errors: EntryError[];
  outcome?: Outcome;
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const membersIn = (value: unknown): JsonObject => (isRecord(value) ? value : {});
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const isEntryError = (value: unknown): value is EntryError =>
  isRecord(value) && typeof value.index === 'number' && typeof value.input_array === 'string';

/** Renames have a form of their own for what was not done: position and reason. */
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

/** Nothing while it is queued, and of answers that do not tell. */
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

export const answerOf = (status: number, text: string): Answer => {
  const body = membersIn(parsedJson(text));
  const outcome = outcomeIn(body);
  return {
    status,
    message: typeof body.message === 'string' ? body.message : text.slice(0, 200),
    errors: [...listIn(body.errors).filter(isEntryError), ...listIn(body.rename_errors).flatMap(renameError)],
    ...(outcome && { outcome }),
  };
};

/** What became of an entry that did not do what it was sent for. */
export interface Mishap extends Fault {
  /** Why it was ignored; otherwise it was refused. */
  reason?: string;
}

/** What is behind a word of an outcome; other words are shown as they are. */
const ignored: Readonly<Record<string, string>> = {
  no_such_user: 'nobody has this identifier, and such an entry makes nobody',
  deleted: 'whoever is meant was deleted after it was sent',
  token_known: 'somebody has the push token already',
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

/** Of the entry at this position of that array; nothing when it is in, or when nobody knows. */
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
