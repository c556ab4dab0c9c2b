// What holds at any moment of rest, whatever happened before (I2, I3, I5 and I6 of the design).
import { type Forwarding, keyOf, type People, type Person } from './people.ts';

/** The first few, and how many there are in all. */
export const few = (sentences: readonly string[], most = 3): string[] =>
  sentences.length <= most
    ? [...sentences]
    : [...sentences.slice(0, most), `and ${sentences.length - most} more like this`];

const twice = (values: readonly string[]): string[] => {
  const seen = new Set<string>();
  return values.filter((value) => seen.has(value) || !seen.add(value));
};

/** I2: nothing happened twice. Every token is used for one event and one purchase. */
const doubled = (people: People): string[] =>
  (['events', 'purchases'] as const).flatMap((list) => {
    const tokens = people.all.flatMap((person) => person[list]);
    return few(twice(tokens).map((token) => `I2: ${token} is there twice among the ${list}`));
  });

/** I3: a name leads to one person, who has it; and every person is found by their names. */
const misled = (people: People): string[] => {
  const strays = [...people.claims].flatMap(([key, profile]) => {
    const person = people.byId.get(profile);
    if (!person) return [`I3: ${key} leads to nobody`];
    return person.names.includes(key) ? [] : [`I3: ${key} leads to a person who does not have it`];
  });
  const unfound = people.all.flatMap((person) =>
    person.names
      .filter((key) => people.claims.get(key) !== person.id)
      .map((key) => `I3: ${key} does not lead to the person who has it`),
  );
  return [...few(strays), ...few(unfound)];
};

const absorbedBy = (all: readonly Person[]): string[] => twice(all.flatMap(({ absorbed }) => absorbed));

/** I5: every merged-away person leads to a living one or to a deletion, without circles, and no living person leads away. */
const lostOnTheWay = (people: People, forwarding: Forwarding): string[] => {
  const bad = forwarding.endsAmong(people).filter((end) => end === 'nowhere' || end === 'in circles');
  const leaving = people.all.filter(({ id }) => forwarding.leadsAway(keyOf.service(id)));
  const alive = people.all.flatMap(({ absorbed }) => absorbed.filter((id) => people.byId.has(id)));
  return [
    ...few(bad.map((end) => `I5: a tombstone leads ${end}`)),
    ...few(leaving.map(({ id }) => `I5: ${id} is alive and leads away`)),
    ...few(alive.map((id) => `I5: ${id} is alive and absorbed`)),
    ...few(absorbedBy(people.all).map((id) => `I5: ${id} was absorbed by two`)),
  ];
};

/** I6: every person can be named, and what happened to a deleted one is gone. */
const leftOver = ({ all, homeless }: People): string[] => [
  ...few(
    all
      .filter(({ names, hasContact }) => names.length === 0 && !hasContact)
      .map(({ id }) => `I6: ${id} is alive and nobody can name them`),
  ),
  ...few(homeless.map((token) => `I6: ${token} belongs to nobody and was not erased`)),
];

export const identityViolations = (people: People, forwarding: Forwarding): string[] => [
  ...doubled(people),
  ...misled(people),
  ...lostOnTheWay(people, forwarding),
  ...leftOver(people),
];
