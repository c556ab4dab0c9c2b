// T24: fifty merges in one request, each into the next person, in any order.
import { createDice } from '../../harness/dice.ts';
import { keyOf, type People, tokensOf } from '../../harness/people.ts';
import { ext, happening, merging, together } from '../../harness/sayings.ts';
import { below, isSame, type Race } from './race.ts';

const links = 50;
const people = below(links + 1);
/** Three entries each, and a request may hold fifty. */
const parts = [0, 16, 32, 48].map((from) => people.slice(from, from + 16));

const shuffled = <Item>(items: readonly Item[], seed: number): Item[] => {
  const dice = createDice(Math.imul(seed + 1, 2_654_435_761));
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = dice.below(i + 1);
    [mixed[i], mixed[j]] = [mixed[j] as Item, mixed[i] as Item];
  }
  return mixed;
};

const idOf = (round: string, i: number): string => `${round}-${String(i).padStart(2, '0')}`;

/** Each remaining person has all people between them and the remaining one before: that is the result of some order. */
const wronglyJoined = (all: People, round: string): number => {
  let since = 0;
  let wrong = 0;
  for (const i of people) {
    const person = all.find(keyOf.ext(idOf(round, i)));
    if (!person) continue;
    const wanted = people.slice(since, i + 1).map((member) => idOf(round, member));
    if (!isSame(tokensOf([person]), wanted)) wrong++;
    since = i + 1;
  }
  return since === people.length ? wrong : wrong + 1;
};

export const chain: Race & { slowestMs(): number } = (() => {
  let slowest = 0;
  return {
    name: 'chain of fifty',
    slowestMs: () => slowest,
    async play(caller, round, n) {
      for (const part of parts)
        await caller.post(
          '/users/track',
          together(part.map((i) => happening(ext(idOf(round, i)), idOf(round, i)))),
        );
      const pairs = shuffled(people.slice(0, links), n).map(
        (i) => [ext(idOf(round, i)), ext(idOf(round, i + 1))] as const,
      );
      const began = performance.now();
      await caller.post('/users/merge', merging(...pairs), { wait: 30 });
      slowest = Math.max(slowest, performance.now() - began);
    },
    check(all, round) {
      const wrong = wronglyJoined(all, round);
      return wrong === 0 ? [] : [`${wrong} people are not what any order gives`];
    },
  };
})();
