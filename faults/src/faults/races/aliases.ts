// T27: several aliases become one person at once; names are swapped and passed on in a circle.
import { keyOf, type People, tokensOf } from '../../harness/people.ts';
import { aliasOf, ext, happening, identifying, renamingAliases, together } from '../../harness/sayings.ts';
import { below, isSame, type Race } from './race.ts';

const several = below(5);
const visitor = (round: string, i: number) => aliasOf(`label-${i}`, `${round}-${i}`);

/** In one request or each in its own, by turns; every other time the external id has an owner already. */
export const aliasesOfOne: Race = {
  name: 'aliases of one',
  async play(caller, round, n) {
    const all = several.map((i) => happening(visitor(round, i), `${round}-${i}`));
    if (n % 4 < 2) all.push(happening(ext(round), round));
    await caller.post('/users/track', together(all));
    const pairs = several.map((i) => [visitor(round, i), round] as const);
    if (n % 2 === 0) await caller.post('/users/identify', identifying('merge', ...pairs));
    else await Promise.all(pairs.map((pair) => caller.post('/users/identify', identifying('merge', pair))));
  },
  check(people, round, n) {
    const person = people.find(keyOf.ext(round));
    const wanted = [...several.map((i) => `${round}-${i}`), ...(n % 4 < 2 ? [round] : [])];
    const strays = several.filter((i) => people.find(keyOf.alias(`label-${i}`, `${round}-${i}`)) !== person);
    return [
      ...strays.map((i) => `alias ${i} leads to another person`),
      ...(isSame(tokensOf([person]), wanted) ? [] : ['not everything happened to them']),
    ];
  },
};

const name = (round: string, letter: string): string => `${round}-${letter}`;

/** The two who had x and y have one name each, two names in all, and what happened to them. */
const bothKept = (people: People, round: string): string[] => {
  const found = ['x', 'y', 'z'].flatMap((letter) => {
    const person = people.find(keyOf.alias('web', name(round, letter)));
    return person ? [person] : [];
  });
  const broken =
    found.length === 2 && found[0] !== found[1] ? [] : [`${found.length} of two people are found`];
  if (found.some(({ names }) => names.length !== 1)) broken.push('a person has no name, or two');
  if (!isSame(tokensOf(found), [name(round, 'x'), name(round, 'y')]))
    broken.push('something of theirs is lost');
  return broken;
};

const swapped = [
  ['x', 'y'],
  ['y', 'x'],
] as const;
/** By way of a name that is free. */
const passedOn = [
  ['x', 'z'],
  ['y', 'x'],
  ['z', 'y'],
] as const;

export const swaps: Race = {
  name: 'alias swaps',
  async play(caller, round, n) {
    const both = ['x', 'y'].map((letter) =>
      happening(aliasOf('web', name(round, letter)), name(round, letter)),
    );
    await caller.post('/users/track', together(both));
    const moves = n % 4 < 2 ? swapped : passedOn;
    const pairs = moves.map(([from, to]) => [name(round, from), name(round, to)] as const);
    if (n % 2 === 0) await caller.post('/users/alias/update', renamingAliases('web', ...pairs));
    else
      await Promise.all(
        pairs.map((pair) => caller.post('/users/alias/update', renamingAliases('web', pair))),
      );
  },
  check: (people, round) => bothKept(people, round),
};
