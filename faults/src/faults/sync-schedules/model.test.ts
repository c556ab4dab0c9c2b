import type { Act, Plan } from './acts.ts';
import { expectedOf } from './model.ts';

const plan: Plan = {
  server: 'postgresql',
  data: 'events',
  mode: 'diff',
  onRemoved: 'ignore',
  isCoarse: false,
  isMapped: false,
  isLate: false,
  lookBackSeconds: 0,
};

const write = (n: number): Act => ({ do: 'write', writes: [{ key: 'k0', n }], behind: 0 });
const [drop, remove, sync, late]: readonly Act[] = [
  { do: 'show', columns: ['b'] },
  { do: 'remove', keys: ['k0'] },
  { do: 'sync', isGood: true },
  { do: 'sync' },
];

const isUncompared = (...acts: readonly (Act | undefined)[]): boolean | undefined =>
  expectedOf({ seed: 1, plan, acts: acts.flatMap((act) => act ?? []) }).rows.get('k0')?.isUncompared;

describe('a row that changes while a column is dropped', () => {
  it.each([
    ['was never read', false, [write(101), drop, write(102), sync]],
    ['was read as it is', false, [write(101), sync, drop, sync]],
    ['changes before the column goes', true, [write(101), sync, write(102), drop, sync]],
    ['changes before the next sync', true, [write(101), sync, drop, write(102), sync]],
    [
      'is gone before the column, and comes back after it',
      true,
      [write(101), sync, remove, drop, write(102), sync],
    ],
    ['was never read before it was gone', false, [write(101), remove, drop, write(102), sync]],
    ['changes after a sync that failed', true, [write(101), sync, drop, late, write(102), sync]],
    [
      'changes after a job that was left over came to its end',
      true,
      [write(101), sync, late, drop, sync, write(102), sync],
    ],
    ['changes after the next sync', false, [write(101), sync, drop, sync, write(102), sync]],
    [
      'changes once more after the next sync',
      false,
      [write(101), sync, drop, write(102), sync, write(103), sync],
    ],
  ])('%s: is it expected no more? %s', (_, expected, acts) => {
    expect(isUncompared(...acts)).toBe(expected);
  });

  it('was committed in the middle of the last sync', () => {
    const meanwhile: Act = { do: 'sync', isGood: true, meanwhile: { at: 2, act: write(102) as never } };
    expect(isUncompared(write(101), sync, meanwhile, drop, sync)).toBe(true);
  });
});
