/** The answer of a server, and the result of each entry: refused, failed, or ignored with a reason. Pure. */
import type { EntryError } from '@roster/contract';
import { isRecord, type JsonObject, recordsIn } from '../json.ts';

/** The result of one entry. */
export interface Fate {
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

export const answerOf = (status: number, said: unknown): Answer => {
  const body = membersIn(said);
  const outcome = outcomeIn(body);
  return {
    status,
    message: typeof body.message === 'string' ? body.message : textIn(said).slice(0, 200),
    errors: [...listIn(body.errors).filter(isEntryError), ...listIn(body.rename_errors).flatMap(renameError)],
    ...(outcome && { outcome }),
  };
};
