/** The rules in memory, without servers: thousands of histories in the orders that queues and fences allow. `npm run faults -- identity` plays the system itself. */
import { createDice } from '../../harness/dice.ts';
import { explain } from '../explain.ts';
import { found } from '../found.ts';
import { type History, historyOf, initialOf, scattered } from '../history.ts';
import { early, inOrder, lastWins, laterOwner, races } from '../named.ts';
import { tell } from '../tell.ts';
import { playInOrder } from './play.ts';
import type { Without } from './queues.ts';

const histories = Number(process.env.ORACLE_HISTORIES ?? 500);
const first = Number(process.env.ORACLE_SEED ?? 1);

interface Playing {
  without?: Without;
  openRanks?: boolean;
}

/** Those for which no one order explains what is there. */
const unexplainedIn = async (
  all: readonly History[],
  orders: number,
  { without, openRanks = false }: Playing = {},
): Promise<string[]> => {
  const unexplained: string[] = [];
  for (const history of all)
    for (let order = 0; order < orders; order++) {
      const dice = createDice(scattered(history.seed * 31 + order));
      const { steps, seen } = await playInOrder(history, dice, without);
      if (!explain(initialOf(history), steps, seen, { openRanks }).order)
        unexplained.push(`seed ${history.seed}, order ${order}: ${tell(history)}`);
    }
  return unexplained;
};

const random = (count: number): History[] => Array.from({ length: count }, (_, n) => historyOf(first + n));

const orders = 2;

it('one order of the requests explains what is there, whatever order they are applied in', async () => {
  const unexplained: History[] = [];
  for (const history of random(histories))
    if ((await unexplainedIn([history], orders)).length > 0) unexplained.push(history);
  expect(await unexplainedIn(unexplained, orders, { openRanks: true })).toEqual([]);
  expect(unexplained.length).toBeLessThanOrEqual(histories / 250);
});

it('that holds for every history that failed once', async () => {
  expect(await unexplainedIn(found, 100)).toEqual([]);
});

it.each([
  ['early', early],
  ['later-owner', laterOwner],
  ['last-wins', lastWins],
  ['in-order', inOrder],
  ['merge-races', races],
])('that holds for the histories of %s', async (_, named) => {
  expect(await unexplainedIn(named, 20)).toEqual([]);
});

it.each<[Without, readonly History[]]>([
  ['fence', found],
  ['fence', inOrder],
  ['wait', early],
])('without the %s it does not', async (without, all) => {
  expect(await unexplainedIn(all, 20)).toEqual([]);
  expect(await unexplainedIn(all, 20, { without })).not.toEqual([]);
  expect(await unexplainedIn(all, 20, { without, openRanks: true })).not.toEqual([]);
});
