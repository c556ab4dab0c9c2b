import { operations } from '@roster/contract';
import { createDice } from '../harness/dice.ts';
import { hunt } from './hunt.ts';
import type { Cost } from './judge.ts';
import { seedsOf } from './seeds.ts';
import { bytesOf, jsonOf, type Term } from './term.ts';
import { aCost } from './test-cost.ts';
import { type Measured, numbersOf } from './weaknesses.ts';

/** Removals are held against objects, one by one; every request looks expensive to the ingress besides. */
const costOf = (body: string): Cost => {
  const removals = body.split('$remove').length - 1;
  const members = body.split('"a":').length - 1;
  const named = body.split('$identifier_key').length - 1;
  return aCost({ cpuMs: { ingress: 200, track: (removals > 0 ? named * members : 0) / 20_000 } });
};

const play = async (mostMeasurements: number, seed = 1) => {
  let measurements = 0;
  const seen: number[] = [];
  const found = await hunt({
    numbers: numbersOf.oneRequest,
    seeds: operations.filter(({ id }) => id === 'users.track').flatMap(seedsOf),
    dice: createDice(seed),
    async measure(genome): Promise<Measured> {
      measurements++;
      const isSmall = genome.body && bytesOf(genome.body) < 1_000_000;
      return { genome, cost: isSmall ? costOf(jsonOf(genome.body as Term)) : aCost() };
    },
    confirm: async (measured) => measured,
    isOver: () => measurements >= mostMeasurements,
    onSeen: (_, numbers) => void seen.push(...numbers),
  });
  return { seen, found, measurements };
};

describe('the hunt for weaknesses', () => {
  it('climbs to one that no seed shows, past what is only expensive', async () => {
    const { seen, found } = await play(400);
    expect(seen).toEqual([1]);
    expect(found).toHaveLength(1);
  });

  it('ends when its time is over', async () => expect((await play(10)).measurements).toBe(10));
});
