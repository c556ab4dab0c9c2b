/** What became of a request, as callers read it: in `GET /requests/{id}` and, after `Prefer: wait`, in the answer itself. */
import type { Static } from '@sinclair/typebox';
import { present } from './formats/present.ts';
import { outcomeLists } from './outcome-lists.ts';
import { count, listOf, maybe, objectOf, objectShape, oneOf, optional, text, whole } from './shape.ts';

const entryReport = objectShape('EntryReport', 'What became of one entry.', {
  result: oneOf(
    ['created', 'updated', 'ignored', 'refused'],
    'About the person of the entry, also where the entry is an event or a purchase. `created`: the person is new. `updated`: the person was there before. `ignored`, `refused`: nothing happened.',
  ),
  reason: maybe(text('Why it was ignored or refused.')),
});

type EntryReport = Static<typeof entryReport>;

const reports = (array: string) =>
  maybe(listOf(entryReport, `One for each entry of \`${array}\`, at the same position.`));

const note = objectShape('OutcomeNote', 'One thing that was ignored inside an entry that was applied.', {
  input_array: text('The array of the request that holds the entry.'),
  index: count('Position of the entry in that array, from 0.'),
  field: maybe(text('The field that was ignored.')),
  reason: text('Why it was ignored; `more_notes` when there are more than 1,000.'),
  count: maybe(whole('With `more_notes`: how many more there are, at least.', { minimum: 1 })),
});

export type OutcomeNote = Static<typeof note>;

/** `updated`: an existing person got it. */
export type EntryResult = 'created' | 'updated' | `ignored:${string}` | `refused:${string}`;

/** What became of a request, as it is kept. */
export interface Outcome {
  state: 'applied' | 'failed';
  /** By the name of the array: `attributes`, `events`, `purchases`. */
  entries?: Record<string, EntryResult[]>;
  reason?: string;
  notes?: OutcomeNote[];
}

export const requestState = oneOf(
  ['queued', 'applied', 'failed'],
  '`queued`: kept, not yet applied. `applied`: in the profiles. `failed`: could not be applied, see `reason`.',
);

export const outcomeMembers = optional({
  reason: text('Why it failed, or why nothing happened.'),
  entries: objectOf(
    'What became of each entry.',
    Object.fromEntries(outcomeLists.map((array) => [array, reports(array)])),
  ),
  notes: listOf(note, 'Things that were ignored inside entries that were applied.'),
});

/** In the answer itself, for a caller that waits. */
export const awaitedOutcome = optional({
  request_id: text('Id of the request. This and what follows: only with `Prefer: wait`.'),
  state: requestState,
  ...outcomeMembers,
});

type OutcomeReport = Omit<Outcome, 'entries'> & { entries?: Record<string, EntryReport[]> };

export function outcomeReport({ state, reason, entries, notes }: Outcome): OutcomeReport {
  return {
    state,
    ...present({ reason, entries: entries && entryReports(entries) }),
    ...(notes && notes.length > 0 ? { notes } : {}),
  };
}

function entryReports(entries: Record<string, EntryResult[]>): Record<string, EntryReport[]> {
  return Object.fromEntries(
    Object.entries(entries).map(([array, results]) => [array, results.map(entryReportOf)]),
  );
}

/** `ignored:no_such_user` as `{ result: 'ignored', reason: 'no_such_user' }`. */
function entryReportOf(text: EntryResult): EntryReport {
  if (text === 'created' || text === 'updated') return { result: text };
  const result = text.startsWith('refused:') ? 'refused' : 'ignored';
  return { result, reason: text.slice(result.length + 1) };
}
