// T24: merges in circles, and of a person into themselves. One person is left, with all data; never none.
import type { Caller } from '../../harness/caller.ts';
import { keyOf, type People, tokensOf } from '../../harness/people.ts';
import { aliasOf, ext, happening, merging, together } from '../../harness/sayings.ts';
import { sleep } from '../../harness/wait.ts';
import { isSame, type Race } from './race.ts';

const ids = (round: string, of: string): string[] => [...of].map((letter) => `${round}-${letter}`);

const arrive = (caller: Caller, who: readonly string[]) =>
  caller.post('/users/track', together(who.map((id) => happening(ext(id), id))));

/** One of them, with everything that happened to all of them. */
const oneIsLeft = (people: People, who: readonly string[]): string[] => {
  const left = who.flatMap((id) => people.named(keyOf.ext(id)));
  const broken = left.length === 1 ? [] : [`${left.length} of ${who.length} are left`];
  if (!isSame(tokensOf(left, 'events'), who)) broken.push(`events of ${tokensOf(left)} are left`);
  if (!isSame(tokensOf(left, 'purchases'), who)) broken.push('not every purchase is left');
  return broken;
};

/** Long enough that the queue is written to in between, and short enough that a worker has not done the first. */
const momentMs = 6;

/** In one request, each in its own at once, or each in its own a moment apart, by turns. */
const circle = (name: string, letters: string): Race => ({
  name,
  leastRounds: 40,
  async play(caller, round, n) {
    const who = ids(round, letters);
    await arrive(caller, who);
    const pairs = who.map((id, i) => [ext(id), ext(who[(i + 1) % who.length] ?? '')] as const);
    if (n % 3 === 0) await caller.post('/users/merge', merging(...pairs));
    else
      await Promise.all(
        pairs.map(async (pair, i) => {
          if (n % 3 === 2) await sleep(i * momentMs);
          return caller.post('/users/merge', merging(pair));
        }),
      );
  },
  check: (people, round) => oneIsLeft(people, ids(round, letters)),
});

export const crossing = circle('crossing', 'ab');
export const threeInACircle = circle('three in a circle', 'abc');

export const intoThemselves: Race = {
  name: 'into themselves',
  async play(caller, round) {
    const alias = aliasOf('web', round);
    await arrive(caller, [round]);
    await caller.post('/users/alias/new', { user_aliases: [{ ...alias.user_alias, external_id: round }] });
    await Promise.all([
      caller.post('/users/merge', merging([ext(round), ext(round)], [alias, ext(round)])),
      caller.post('/users/merge', merging([ext(round), alias])),
    ]);
  },
  check: (people, round) =>
    people.find(keyOf.alias('web', round))?.externalId === round
      ? oneIsLeft(people, [round])
      : ['the alias leads to another person'],
};
