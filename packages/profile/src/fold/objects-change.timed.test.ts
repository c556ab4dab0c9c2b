/** No change of an array of objects is worse than its size: one such change once took twelve minutes. */

import type { ObjectsChange } from '../profile.ts';
import { memberWork, mostStepWork } from '../work.ts';
import { changeObjects, type Objects } from './objects-change.ts';

type Removals = NonNullable<ObjectsChange['remove']>;
type Updates = NonNullable<ObjectsChange['update']>;

const listOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n, same: 1 }));
const removalsOf = (count: number): Removals =>
  Array.from({ length: count }, (_, n) => ({ key: 'n', value: 2 * n }));
const updatesOf = (count: number): Updates =>
  Array.from({ length: count }, (_, n) => ({ key: 'n', value: n, with: { n, done: true } }));

const grown = (work: (count: number) => Objects): number => work(20_000).members / work(10_000).members;

describe('the work of a change of objects', () => {
  it('of removals grows as their number does', () => {
    expect(grown((count) => changeObjects(listOf(count), { remove: removalsOf(count) }))).toBeLessThan(2.1);
  });

  it.each([true, false])('of updates grows as their number does (merged: %s)', (merge) => {
    expect(grown((count) => changeObjects(listOf(count), { update: updatesOf(count), merge }))).toBeLessThan(
      2.1,
    );
  });

  it('takes a moment where it took minutes', () => {
    const started = process.cpuUsage();
    const { objects } = changeObjects(listOf(100_000), { remove: removalsOf(50_000) });
    const { user, system } = process.cpuUsage(started);
    expect(objects).toHaveLength(50_000);
    // One look at each object for each removal would be five thousand million looks.
    expect((user + system) / 1000).toBeLessThan(2000);
  });

  it('is bounded where each update finds everything, and then nothing is changed', () => {
    const old = listOf(5000);
    const update = Array.from({ length: 1000 }, () => ({ key: 'same', value: 1, with: { same: 1, n: 0 } }));
    const most = mostStepWork / memberWork;
    const bounded = changeObjects(old, { update, merge: true }, most);
    expect(bounded).toMatchObject({ isTooMuch: true, objects: old });
    expect(bounded.members).toBeLessThan(1.1 * most);
    // The control: without the bound it is all of it.
    expect(changeObjects(old, { update: update.slice(0, 40), merge: true }).members).toBeGreaterThan(most);
  });
});
