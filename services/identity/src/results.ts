/** The answers of the operations, each in its own form. */
import type { Applied, Entries } from '@roster/batch';
import {
  type AcceptedRequest,
  type EntryError,
  entryErrors,
  type RemoveAnswer,
  type Rename,
  type RenameAnswer,
} from '@roster/contract';

/** The accepted body. Only here its type is trusted. */
export interface IdentityBody {
  [array: string]: unknown;
  /** Refused by the ingress. */
  errors?: EntryError[];
  merge_behavior?: 'none' | 'merge' | null;
}

export const bodyOf = ({ body }: AcceptedRequest): IdentityBody => (body ?? {}) as IdentityBody;

/** Entries refused by the ingress. */
const refusedBefore = (request: AcceptedRequest): EntryError[] => bodyOf(request).errors ?? [];

/** The body of the answer to an applied request. */
export type ResultOf = (request: AcceptedRequest, applied: Applied) => object;

const isAccepted = (result: string): boolean => !result.startsWith('refused:');

const countAccepted = (entries: Entries): number => Object.values(entries).flat().filter(isAccepted).length;

/** Errors that only the worker could find. */
const refusedNow = (entries: Entries): EntryError[] =>
  Object.entries(entries).flatMap(([input_array, results]) =>
    results.flatMap((result, index) =>
      result === 'refused:name_taken'
        ? [{ type: entryErrors.ALIAS_NAME_TAKEN.message, code: 'ALIAS_NAME_TAKEN', input_array, index }]
        : [],
    ),
  );

const byPlace = (a: EntryError, b: EntryError): number =>
  a.input_array === b.input_array ? a.index - b.index : 0;

const errorsIn = (request: AcceptedRequest, entries: Entries): { errors?: EntryError[] } => {
  const errors = [...refusedBefore(request), ...refusedNow(entries)].toSorted(byPlace);
  return errors.length > 0 ? { errors } : {};
};

/** The number of accepted entries, and the refused ones. */
export const counted =
  (counter: 'aliases_processed' | 'deleted'): ResultOf =>
  (request, { entries }) => ({
    [counter]: countAccepted(entries),
    message: 'success',
    ...errorsIn(request, entries),
  });

const inUse = 'new_external_id is already in use';
const unknown = 'current_external_id is not in use';

/** Why a rename had no effect. */
const renameReasons: Record<string, string> = {
  'ignored:id_taken': inUse,
  'ignored:same_id': 'new_external_id must differ from current_external_id',
  'ignored:not_primary': 'current_external_id is a deprecated external id',
  'ignored:no_such_user': unknown,
  'ignored:deleted': unknown,
};

const removalReasons: Record<string, string> = {
  'ignored:primary': 'external_id is a primary external id, only deprecated ones can be removed',
  'ignored:no_such_user': 'external_id is not in use',
  'ignored:deleted': 'external_id is not in use',
};

type Reasons = [number, string][];

const reasonsIn = (request: AcceptedRequest, results: string[], texts: Record<string, string>): Reasons =>
  [
    ...refusedBefore(request).map(({ index, type }): [number, string] => [index, type]),
    ...results.flatMap((result, index): Reasons => {
      const text = texts[result];
      return text === undefined ? [] : [[index, text]];
    }),
  ].toSorted(([a], [b]) => a - b);

/** The sent entries that had an effect. */
const effective = <Entry>(request: AcceptedRequest, array: string, results: readonly string[]): Entry[] => {
  const sent = (bodyOf(request)[array] ?? []) as Entry[];
  return sent.filter((_, index) => results[index] === 'updated');
};

export const renamed: ResultOf = (request, { entries }): RenameAnswer => {
  const results = entries.external_id_renames ?? [];
  const external_ids = effective<Rename>(request, 'external_id_renames', results).map(
    ({ current_external_id, new_external_id }) => ({ current_external_id, new_external_id }),
  );
  return { external_ids, rename_errors: reasonsIn(request, results, renameReasons), message: 'success' };
};

export const removed: ResultOf = (request, { entries }): RemoveAnswer => {
  const results = entries.external_ids ?? [];
  const sent = effective<{ external_id: string }>(request, 'external_ids', results);
  const removed_ids = sent.map(({ external_id }) => external_id);
  return { removed_ids, removal_errors: reasonsIn(request, results, removalReasons), message: 'success' };
};
