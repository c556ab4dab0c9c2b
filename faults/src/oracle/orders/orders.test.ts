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

/** Whether one order explains what is there. */
const isExplained = (history: History, order: number, { without, openRanks = false }: Playing): boolean => {
  const { steps, seen } = playInOrder(history, createDice(scattered(order)), without);
  return explain(initialOf(history), steps, seen, { openRanks }).order !== undefined;
};

const unexplainedIn = (all: readonly History[], orders: number, playing: Playing = {}): string[] =>
  all.flatMap((history) =>
    Array.from({ length: orders }, (_, order) => order)
      .filter((order) => !isExplained(history, history.seed * 31 + order, playing))
      .map((order) => `seed ${history.seed}, order ${order}: ${tell(history)}`),
  );

const random = (count: number): History[] => Array.from({ length: count }, (_, n) => historyOf(first + n));

const orders = 2;

it('one order of the requests explains what is there, whatever order they are applied in', () => {
  const unexplained = random(histories).filter((history) => unexplainedIn([history], orders).length > 0);
  expect(unexplainedIn(unexplained, orders, { openRanks: true })).toEqual([]);
  expect(unexplained.length).toBeLessThanOrEqual(histories / 250);
});

it('that holds for every history that failed once', () => {
  expect(unexplainedIn(found, 100)).toEqual([]);
});

it.each([
  ['early', early],
  ['later-owner', laterOwner],
  ['last-wins', lastWins],
  ['in-order', inOrder],
  ['merge-races', races],
])('that holds for the histories of %s', (_, named) => {
  expect(unexplainedIn(named, 20)).toEqual([]);
});

it.each<[Without, readonly History[]]>([
  ['fence', found],
  ['fence', inOrder],
  ['wait', early],
])('without the %s it does not', (without, all) => {
  expect(unexplainedIn(all, 20)).toEqual([]);
  expect(unexplainedIn(all, 20, { without })).not.toEqual([]);
  expect(unexplainedIn(all, 20, { without, openRanks: true })).not.toEqual([]);
});
