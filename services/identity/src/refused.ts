/** The refused entries of an answer. */
import type { Applied, Entries } from '@roster/batch';
import { type AcceptedRequest, type EntryError, entryErrors } from '@roster/contract';
import { refusedBefore } from './body.ts';

/** The body of the answer to an applied request. */
export type Result = (request: AcceptedRequest, applied: Applied) => object;

const isAccepted = (result: string): boolean => !result.startsWith('refused:');

export const countAccepted = (entries: Entries): number =>
  Object.values(entries).flat().filter(isAccepted).length;

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

export const errorsIn = (request: AcceptedRequest, entries: Entries): { errors?: EntryError[] } => {
  const errors = [...refusedBefore(request), ...refusedNow(entries)].toSorted(byPlace);
  return errors.length > 0 ? { errors } : {};
};
