import { operations } from '@roster/contract';
import { createDice } from '../harness/dice.ts';
import { placeOf } from './exchange.ts';
import { foundBefore } from './found.ts';
import { type Genome, isSendable, wireOf } from './genome.ts';
import { climb } from './hunt.ts';
import type { Cost } from './judge.ts';
import { mutate } from './mutate.ts';
import { roads, seedsOfRoad } from './roads.ts';
import { seedsOf } from './seeds.ts';
import { bytesOf, jsonOf } from './term.ts';
import { aCost } from './test-cost.ts';
import { type Measured, weaknesses, weaknessesOf } from './weaknesses.ts';

const quadratic = (genome: Genome): Measured => {
  const bytes = genome.body ? bytesOf(genome.body) : 0;
  const cost = aCost({ bytes, cpuMs: { track: (bytes / 1_000) ** 2 } });
  return { genome, cost };
};

const search = (seed: number): Promise<Measured[]> => {
  let measurements = 0;
  return climb({
    seeds: [{ operation: 'users.track', body: { list: { text: 'x' }, count: 10 } }],
    dice: createDice(seed),
    isOver: () => measurements > 150,
    async measure(genome) {
      measurements++;
      return quadratic(genome);
    },
  });
};

describe('the search', () => {
  it('climbs to what costs more, and keeps the ten worst, the worst first', async () => {
    const costs = (await search(1)).map(({ cost }) => cost.bytes);
    expect(costs).toHaveLength(10);
    expect(costs[0]).toBeGreaterThan(10_000);
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  });

  it('finds the same with the same seed', async () => {
    expect(await search(3)).toEqual(await search(3));
  });
});

describe('mutations', () => {
  it('give genomes that can be written, over many generations', () => {
    const dice = createDice(5);
    let genome = seedsOf(operations[0] as (typeof operations)[number])[0] as Genome;
    for (let generation = 0; generation < 300; generation++) {
      const child = mutate(genome, dice);
      if (isSendable(child)) genome = child;
      if (genome.body && bytesOf(genome.body) < 100_000) expect(typeof jsonOf(genome.body)).toBe('string');
    }
  });

  it('leave the genome they change as it was', () => {
    const [seed] = seedsOf(operations[0] as (typeof operations)[number]);
    const before = JSON.stringify(seed);
    for (let i = 0; i < 50; i++) mutate(seed as Genome, createDice(i));
    expect(JSON.stringify(seed)).toBe(before);
  });
});

describe('the seeds', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has some, and all can be sent',
    (_, operation) => {
      const seeds = seedsOf(operation);
      expect(seeds.length).toBeGreaterThan(1);
      for (const seed of seeds) {
        expect(isSendable(seed)).toBe(true);
        if (seed.body && bytesOf(seed.body) >= 20_000) continue;
        const { method, body } = wireOf(seed, operation, { n: '1', t: '0' });
        expect(method).toBe(operation.method);
        expect(() => JSON.parse(String(body ?? '{}'))).not.toThrow();
      }
    },
  );

  it('name the big people that are made for them', () => {
    for (const id of ['users.track', 'users.alias.new', 'users.export.ids']) {
      const operation = operations.find((row) => row.id === id);
      const about = operation ? seedsOf(operation).filter(({ before }) => before) : [];
      const bodies = about.flatMap(({ body }) => (body ? [jsonOf(body, { n: '1', i: '0' })] : []));
      expect(bodies.some((body) => body.includes('"p1-0"') && body.includes('"p1-14"'))).toBe(true);
    }
  });
});

describe('the roads of messaging', () => {
  const seeds = roads.flatMap(seedsOfRoad);

  it('begin with requests that are small, and that can be sent', () => {
    for (const seed of seeds) {
      expect(isSendable(seed)).toBe(true);
      expect(seed.senders ?? 1).toBe(1);
      const wire = wireOf(seed, placeOf(seed.operation), { n: '1', t: '0' });
      expect(wire.body?.length ?? 0).toBeLessThan(2_000);
    }
  });

  it('are kept over many generations: only parts change, and how many send them', () => {
    const dice = createDice(3);
    for (const seed of seeds) {
      let genome = seed;
      for (let generation = 0; generation < 50; generation++) genome = mutate(genome, dice);
      const { parts: _, senders: __, heldBack: ___, ...rest } = genome;
      const { parts: ____, ...before } = seed;
      expect(rest).toEqual(before);
    }
  });

  it.each([
    ['forms', 64, 'for good'],
    ['audiences', 64, undefined],
  ])('lead to many at once: %s', (name, many, heldBack) => {
    const dice = createDice(1);
    const road = roads.filter((one) => one.name === name).flatMap(seedsOfRoad);
    const children = road.flatMap((seed) =>
      Array.from({ length: 200 }, () => [1, 2, 3].reduce((genome) => mutate(genome, dice), seed)),
    );
    const found = children.filter(({ senders = 1, ...one }) => senders >= many && one.heldBack === heldBack);
    expect(found.length).toBeGreaterThan(0);
  });
});

describe('requests that were found before', () => {
  it.each([
    ['all', foundBefore],
    ['those of a short trial', foundBefore.filter(({ isLong }) => !isLong)],
  ])('show each weakness: %s', (_, found) => {
    const shown = new Set(found.map(({ weakness }) => weakness));
    expect([...shown].sort((a, b) => a - b)).toEqual(weaknesses.map((_, i) => i + 1));
  });

  it('can be sent, and name operations that exist', () => {
    for (const found of foundBefore) {
      expect(isSendable(found)).toBe(true);
      expect(() => placeOf(found.operation)).not.toThrow();
    }
  });
});

describe('a weakness', () => {
  const shown = (genome: Partial<Genome>, cost: Partial<Cost>): number[] => {
    const usual = quadratic({ operation: 'users.track', ...genome });
    return weaknessesOf({ ...usual, cost: { ...usual.cost, bytes: 200, cpuMs: {}, ...cost } });
  };
  const before = [{ operation: 'users.track', times: 1, body: { raw: '{}' } }];

  it.each<[number, Partial<Genome>, Partial<Cost>]>([
    [1, {}, { cpuMs: { track: 900 } }],
    [2, { before }, { cpuMs: { identity: 900 } }],
    [3, {}, { keptBytes: 10_400 }],
    [4, {}, { isTakenIn: false, cpuMs: { ingress: 900 } }],
    [5, {}, { peakMb: { ingress: 965 } }],
    [6, {}, { blockMs: { scim: 20_000 } }],
  ])('%i is known by what it costs', (number, genome, cost) => expect(shown(genome, cost)).toEqual([number]));

  it.each<[number, string, Partial<Cost>]>([
    [7, 'forms', { waitedMs: { pages: Number.POSITIVE_INFINITY } }],
    [8, 'patterns', { blockMs: { sender: 1_001 } }],
    [9, 'audiences', { waitedMs: { sender: 10_001 } }],
    [10, 'emails', { died: ['messaging'] }],
    [11, 'centers', { blockMs: { pages: 1_001 } }],
    [12, 'texts', { peakMb: { sender: 401 } }],
    [13, 'headers', { recipients: 3 }],
  ])('%i is known by what others see of it', (number, road, cost) =>
    expect(shown({ road, before }, { waitedMs: {}, ...cost })).toEqual([number]),
  );

  it('is not seen in a usual request', () => expect(shown({}, { cpuMs: { track: 3 } })).toEqual([]));
});
