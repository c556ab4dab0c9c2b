// I1, I4 and I6 to I8 of the design, over what the soak leaves behind. I2, I3 and I5 hold for any test: see the harness.
import type { Answer } from '@roster/client';
import type { Fate, Forwarding } from '../../harness/forwarding.ts';
import { few } from '../../harness/identity-invariants.ts';
import type { Ledger, Mark } from '../../harness/ledger.ts';
import { numberOf, type People, type Person, tokensOf } from '../../harness/people.ts';
import type { Done, Group, Happening } from './operations.ts';

interface Told extends Happening {
  mark: Mark;
}

const toldIn = (done: readonly Done[], ledger: Ledger): Told[] =>
  done.flatMap(({ id, happening }) => {
    const mark = ledger.get(id);
    return happening && mark ? [{ ...happening, mark }] : [];
  });

const hasEffect = (result: string | undefined): boolean => result === 'created' || result === 'updated';

/** I1: what a request says of its person counts whenever its event does: they have one name, and so one person. */
const tornApart = ({ token, mark: { entries } }: Told): string[] =>
  hasEffect(entries.events?.[0]) && !hasEffect(entries.attributes?.[0])
    ? [`I1: the event of ${token} counted, and its attributes were ${entries.attributes?.[0]}`]
    : [];

/** I1: every effect belongs to a person, unless its person may be deleted; an ignored entry has no effect. */
export const happeningsOff = (people: People, done: readonly Done[], ledger: Ledger): string[] => {
  const seen = {
    events: new Set(tokensOf(people.all)),
    purchases: new Set(tokensOf(people.all, 'purchases')),
  };
  const told = toldIn(done, ledger);
  const torn = few(told.flatMap(tornApart));
  const off = few(
    told.flatMap(({ token, group, mark }) =>
      (['events', 'purchases'] as const).flatMap((list) => {
        const [result] = mark.entries[list] ?? [];
        const isThere = seen[list].has(token);
        if (isThere && !hasEffect(result)) return [`I1: ${token} is there in ${list}, and was ${result}`];
        if (!isThere && hasEffect(result) && group === 'k') return [`I1: ${token} was ${result} and is lost`];
        return group === 'k' && result === 'ignored:deleted'
          ? [`I1: the person of ${token} was not deleted`]
          : [];
      }),
    ),
  );
  return [...torn, ...off];
};

const groupOf = (person: Person): Group | undefined => {
  const name = person.names[0]?.split(':').at(-1) ?? person.email;
  return name?.startsWith('k') ? 'k' : name?.startsWith('g') ? 'g' : undefined;
};

/** The people of a request are one group only. */
const createdIn = (group: Group, done: readonly Done[], ledger: Ledger): number =>
  done
    .filter((one) => one.group === group)
    .flatMap(({ id }) => Object.values(ledger.get(id)?.entries ?? {}).flat())
    .filter((result) => result === 'created').length;

/** I6: of the keepers, every created person is alive or was absorbed by a living one, and there are no others. */
export const creationsOff = (people: People, done: readonly Done[], ledger: Ledger): string[] => {
  const created = createdIn('k', done, ledger);
  const alive = people.all.filter((person) => groupOf(person) === 'k');
  const absorbed = alive.reduce((sum, person) => sum + person.absorbed.length, 0);
  const nameless = people.all.filter((person) => groupOf(person) === undefined).length;
  return [
    ...(created === alive.length + absorbed
      ? []
      : [`I6: ${created} were created, ${alive.length} are alive and ${absorbed} absorbed`]),
    ...(nameless === 0 ? [] : [`I6: ${nameless} are alive and nobody can name them`]),
  ];
};

const fateOf = (fates: readonly Fate[], at: number): Fate | undefined => fates.find((fate) => at <= fate.at);

/** I7: entries by a name from before the deletion of its owner belong to no person, and no claim is older than that. */
export const resurrected = (
  people: People,
  done: readonly Done[],
  ledger: Ledger,
  forwarding: Forwarding,
): string[] => {
  const there = new Set(tokensOf(people.all));
  const returned = toldIn(done, ledger).flatMap(({ token, key, mark }) => {
    if (key === undefined || !there.has(token)) return [];
    const fate = fateOf(forwarding.fatesOf(key), mark.at);
    const end = fate && forwarding.endOf(fate, people);
    // What was accepted after the deletion starts afresh.
    const isDeleted = typeof end === 'object' && mark.at <= end.deletedAt;
    return isDeleted ? [`I7: ${token} is there, and its person was deleted later`] : [];
  });
  // A claim that moved keeps its stamp, and has the stamp of the move: no person has the activity from before.
  const old = [...people.claims].flatMap(([key, { at, moved = 0 }]) => {
    const last = forwarding
      .fatesOf(key)
      .filter(({ to }) => to === undefined)
      .at(-1);
    return last && at <= last.at && moved < last.at
      ? [`I7: the claim of ${key} is older than its deletion`]
      : [];
  });
  return [...few(returned), ...few(old)];
};

/** I8: the last value that was sent for a person is the stored one, under its stamp; and all of them were counted. */
export const stampsOff = (people: People): string[] =>
  few(
    people.all.flatMap((person) => {
      const colour = person.custom.get('colour');
      if (!colour) return [];
      const said = person.events.find(({ token }) => token === colour.v);
      const wrong = said?.at === colour.at ? [] : [`I8: ${colour.v} does not stand under its own stamp`];
      if (person.absorbed.length > 0) return wrong;
      const last = Math.max(...person.events.map(({ at }) => at));
      if (last !== colour.at) wrong.push(`I8: ${colour.v} is not the last of ${person.id}`);
      if (numberOf(person, 'visits') !== person.events.length)
        wrong.push(`I8: ${numberOf(person, 'visits')} visits counted of ${person.events.length}`);
      return wrong;
    }),
  );

export type Exported = Answer<'users.export.ids'>['users'][number];

const isWhole = (counted: NonNullable<Exported['custom_events']>, tokens: readonly string[]): boolean =>
  counted.every(({ count, first, last }) => count === 1 && first === last) &&
  counted
    .map(({ name }) => name)
    .sort()
    .join() === tokens.join();

/** I4: first, last, count and revenue, as the interface tells them, are those of the documents. */
export const exportsOff = (people: People, exported: ReadonlyMap<string, Exported>): string[] =>
  few(
    people.all.flatMap((person) => {
      if (person.externalId === undefined) return [];
      const { custom_events = [], purchases = [], total_revenue = 0 } = exported.get(person.id) ?? {};
      const isSame =
        exported.has(person.id) &&
        isWhole(custom_events, tokensOf([person])) &&
        isWhole(purchases, tokensOf([person], 'purchases')) &&
        total_revenue === person.purchases.length;
      return isSame ? [] : [`I4: the export of ${person.externalId} is not what is stored`];
    }),
  );
