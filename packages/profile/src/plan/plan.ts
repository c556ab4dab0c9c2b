/** Plan, then apply: from the requests of a batch and what was loaded, everything that has to be written. No database in sight. */
import { changesOf } from '../change.ts';
import { decide, type EntryKind } from '../decide.ts';
import { type Fold, fold as foldChanges } from '../fold.ts';
import type { Profile, Stamp } from '../profile.ts';
import type { AttributeObject, Item, Origin, Prepared, TrackEntry } from './item.ts';
import { createPeople, type Identity, type Known, type Needs, type People } from './people.ts';

export type EntryResult = 'created' | 'updated' | `ignored:${string}` | `refused:${string}`;

/** Something that was ignored inside an entry that was applied. */
export interface EntryNote {
  input_array: EntryKind;
  index: number;
  field: string;
  reason: string;
}

/** What became of one request. */
export interface Result {
  origin: Origin;
  entries: { [Kind in EntryKind]?: EntryResult[] };
  notes: EntryNote[];
}

/** An event or purchase, and whose it is. */
export interface Placed<Entry extends TrackEntry> {
  item: Item<Entry>;
  profile: string;
}

export interface Plan<Event extends TrackEntry, Purchase extends TrackEntry> {
  created: Profile[];
  changed: Profile[];
  /** External ids and aliases that now belong to somebody. */
  claims: Identity[];
  /** Emails and phones by which somebody was created: written so that two who do it at once collide. */
  locks: Identity[];
  events: Placed<Event>[];
  purchases: Placed<Purchase>[];
  results: Result[];
}

export type Planned<Event extends TrackEntry, Purchase extends TrackEntry> =
  | ({ ready: true } & Plan<Event, Purchase>)
  | { ready: false; needs: Needs };

export interface PlanInput<Event extends TrackEntry, Purchase extends TrackEntry> {
  /** In the order of their stamps. */
  requests: readonly Prepared<Event, Purchase>[];
  known: Known;
  /** When an event or purchase happened; asked only when people share an email or phone. */
  happenedAt(entry: Event | Purchase, at: Stamp): Stamp;
  fold?: Fold;
}

const refusals = (entries: readonly (TrackEntry | string)[] | undefined): EntryResult[] | undefined =>
  entries?.map((entry): EntryResult => (typeof entry === 'string' ? `refused:${entry}` : 'updated'));

/** Everything accepted counts as updated until its turn comes. */
const resultOf = ({ origin, body }: Prepared<TrackEntry, TrackEntry>): Result => {
  const entries: Result['entries'] = {};
  for (const kind of ['attributes', 'events', 'purchases'] as const) {
    const results = refusals(body[kind]);
    if (results && results.length > 0) entries[kind] = results;
  }
  return { origin, entries, notes: [] };
};

const note = (result: Result, { kind, index }: Item<TrackEntry>, value: EntryResult): void => {
  const results = result.entries[kind];
  if (results) results[index] = value;
};

/** Whose entry it is, creating them if the rules say so. */
const whose = (people: People, item: Item<TrackEntry>, result: Result): string | undefined => {
  const found = people.find(item);
  if (found !== undefined) return found;
  const { identifier, kind, entry } = item;
  const decision = decide({
    by: identifier.by,
    kind,
    exists: false,
    updateExistingOnly: entry._update_existing_only,
  });
  if (decision.do === 'create') {
    note(result, item, 'created');
    return people.create(item);
  }
  if (decision.do === 'ignore') note(result, item, `ignored:${decision.reason}`);
  return undefined;
};

const applyAttributes = (people: People, item: Item<AttributeObject>, result: Result): void => {
  const id = whose(people, item, result);
  if (id === undefined) return;
  const { kind, index, entry, identifier, origin } = item;
  for (const { field, reason } of people.change(id, changesOf(entry, identifier), origin.at)) {
    result.notes.push({ input_array: kind, index, field, reason });
  }
};

const sharesPeople = ({ attributes, events, purchases }: Prepared<TrackEntry, TrackEntry>): boolean =>
  [attributes, events, purchases].some((items) =>
    items.some(({ identifier: { by } }) => by === 'email' || by === 'phone'),
  );

export const plan = <Event extends TrackEntry, Purchase extends TrackEntry>(
  input: PlanInput<Event, Purchase>,
): Planned<Event, Purchase> => {
  const { requests, known, happenedAt, fold = foldChanges } = input;
  const people = createPeople(known, fold);
  const ranks = requests.some(sharesPeople);
  const events: Placed<Event>[] = [];
  const purchases: Placed<Purchase>[] = [];
  const results: Result[] = [];

  const place = <Entry extends Event | Purchase>(
    item: Item<Entry>,
    result: Result,
    into: Placed<Entry>[],
  ): void => {
    const profile = whose(people, item, result);
    if (profile === undefined) return;
    into.push({ item, profile });
    if (ranks) people.touch(profile, happenedAt(item.entry, item.origin.at));
  };

  for (const request of requests) {
    const result = resultOf(request);
    results.push(result);
    for (const item of request.attributes) applyAttributes(people, item, result);
    for (const item of request.events) place(item, result, events);
    for (const item of request.purchases) place(item, result, purchases);
  }
  const { needs } = people;
  if (needs.profiles.size + needs.activity.size > 0) return { ready: false, needs };
  return { ready: true, ...people.writes(), events, purchases, results };
};
