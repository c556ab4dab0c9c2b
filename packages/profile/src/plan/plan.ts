/** Plan, then apply: the plan of a batch is everything that has to be written, made of its requests and of what was loaded. */

import { isNeedy } from '../find/known.ts';
import { type Fold, fold as foldChanges } from '../fold/fold.ts';
import type { Stamp } from '../profile.ts';
import { type AttributeSettings, changesOf, type Reading } from '../reading/change.ts';
import { createAttributes } from './attributes.ts';
import { createAwaits, type Deletions, noDeletions } from './awaits.ts';
import { createFindPerson } from './find-person.ts';
import type { Item, PreparedRequest, TrackEntry } from './item.ts';
import type { Needs, PlanKnown } from './known.ts';
import { createPeople, type People } from './people.ts';
import { type EntryResults, resultOf, settleFound } from './result.ts';

/** An event or purchase, and the service id of its person. */
export interface Placed<Entry extends TrackEntry> {
  item: Item<Entry>;
  profile: string;
}

export interface TrackPlan<Event extends TrackEntry, Purchase extends TrackEntry>
  extends ReturnType<People['writes']> {
  events: Placed<Event>[];
  purchases: Placed<Purchase>[];
  results: EntryResults[];
}

export type Planned<Event extends TrackEntry, Purchase extends TrackEntry> =
  | ({ ready: true } & TrackPlan<Event, Purchase>)
  | { ready: false; needs: Needs };

export interface PlanInput<Event extends TrackEntry, Purchase extends TrackEntry> {
  /** In the order of their stamps. */
  requests: readonly PreparedRequest<Event, Purchase>[];
  known: PlanKnown;
  reading: Reading;
  settingsOf(ws: string): AttributeSettings;
  /** When an event or purchase happened. The plan needs it only when people may share an email or phone. */
  happenedAt(entry: Event | Purchase, at: Stamp): Stamp;
  fold?: Fold;
  /** Deletions that are accepted and not applied yet; without it there are none. */
  deletions?: Deletions;
}

const sharesPeople = ({ attributes, events, purchases }: PreparedRequest<TrackEntry, TrackEntry>): boolean =>
  [attributes, events, purchases].some((items) =>
    items.some(({ identifier: { by } }) => by === 'email' || by === 'phone'),
  );

/** An import of tokens has no identifier, so each of its members is an attribute. */
const noIdentifier = { by: '' };

/** Stops after each entry: a large batch is planned in slices, and other work gets its turn in between. */
export function* planning<Event extends TrackEntry, Purchase extends TrackEntry>(
  input: PlanInput<Event, Purchase>,
): Generator<void, Planned<Event, Purchase>> {
  const { requests, known, happenedAt, fold = foldChanges } = input;
  const people = createPeople(known, fold, (ws) => input.settingsOf(ws).mostProfileBytes, input.reading.time);
  const awaits = createAwaits(people, input.deletions ?? noDeletions);
  const findPerson = createFindPerson(known, people, awaits);
  const applyAttributes = createAttributes({
    people,
    findPerson,
    awaits,
    changesOf: ({ identifier, origin }, entry) =>
      changesOf(
        entry,
        identifier.by === 'tokens' ? noIdentifier : identifier,
        input.reading,
        input.settingsOf(origin.ws),
      ),
  });
  const ranks = requests.some(sharesPeople);
  const events: Placed<Event>[] = [];
  const purchases: Placed<Purchase>[] = [];
  const results: EntryResults[] = [];

  const place = <Entry extends Event | Purchase>(
    item: Item<Entry>,
    result: EntryResults,
    into: Placed<Entry>[],
  ): void => {
    const found = findPerson(item);
    settleFound(result, item, found);
    if (found.is === 'ignored' || found.is === 'open') return;
    into.push({ item, profile: found.id });
    result.person = found.id;
    if (ranks) people.touch(found.id, happenedAt(item.entry, item.origin.at));
  };

  for (const request of requests) {
    const result = resultOf(request);
    results.push(result);
    for (const item of request.attributes) {
      applyAttributes(item, result);
      yield;
    }
    for (const item of request.events) place(item, result, events);
    for (const item of request.purchases) place(item, result, purchases);
    yield;
  }
  const { needs } = people;
  if (isNeedy(needs)) return { ready: false, needs };
  return { ready: true, ...people.writes(), events, purchases, results };
}
