import { operations } from '@roster/contract';
import { createDice } from '../harness/dice.ts';
import type { Genome } from './genome.ts';
import { type Hunt, hunt } from './hunt.ts';
import type { Cost } from './judge.ts';
import { roads, seedsOfRoad } from './roads.ts';
import { seedsOf } from './seeds.ts';
import { bytesOf, jsonOf, plainText, withParts } from './term.ts';
import { aCost } from './test-cost.ts';
import { numbersOf } from './weaknesses.ts';

/** Removals are held against objects, one by one; every request looks expensive to the ingress besides. */
const costOf = (body: string): Cost => {
  const removals = body.split('$remove').length - 1;
  const members = body.split('"a":').length - 1;
  const named = body.split('$identifier_key').length - 1;
  return aCost({ cpuMs: { ingress: 200, track: (removals > 0 ? named * members : 0) / 20_000 } });
};

const play = async (
  { numbers, seeds }: Pick<Hunt, 'numbers' | 'seeds'>,
  most: number,
  cost: (genome: Genome) => Cost,
  seed = 1,
) => {
  let measurements = 0;
  const seen: number[] = [];
  const found = await hunt({
    numbers,
    seeds,
    dice: createDice(seed),
    async measure(genome) {
      measurements++;
      return { genome, cost: cost(genome) };
    },
    confirm: async (measured) => measured,
    isOver: () => measurements >= most,
    onSeen: (_, numbers) => void seen.push(...numbers),
  });
  return { seen, found, measurements };
};

describe('the hunt for weaknesses', () => {
  const aim = {
    numbers: numbersOf.oneRequest,
    seeds: operations.filter(({ id }) => id === 'users.track').flatMap(seedsOf),
  };
  const cost = ({ body }: Genome): Cost =>
    body && bytesOf(body) < 1_000_000 ? costOf(jsonOf(body)) : aCost();

  it('climbs to one that no seed shows, past what is only expensive', async () => {
    const { seen, found } = await play(aim, 400, cost);
    expect(seen).toEqual([1]);
    expect(found).toHaveLength(1);
  });

  it('ends when its time is over', async () => {
    expect((await play(aim, 10, cost)).measurements).toBe(10);
  });
});

/** What a service without bounds would do: nothing is to be seen of it until it is large, and what is too large is refused. */
const withoutBounds: Record<string, (genome: Genome) => Partial<Cost>> = {
  patterns: (genome) => {
    const { filters = 0, senders } = countsIn(genome);
    const [, steps = '1'] = /\{0,(\d+)\}/.exec(textOf(genome, 'pattern')) ?? [];
    if (filters > 100 || Number(steps) > 1_000 || textOf(genome, 'pattern').length > 255)
      return { status: 400 };
    return { blockMs: { sender: (filters * Number(steps) * senders) / 4 } };
  },
  audiences: (genome) => {
    const { filters = 0, senders } = countsIn(genome);
    return filters > 100 ? { status: 400 } : { waitedMs: { sender: filters * senders * 2 } };
  },
  emails: (genome) => {
    const html = textOf(genome, 'html');
    if (html.length > 100_000) return { status: 400 };
    const [rules, elements] = [html.split('{').length, html.split('<p>').length];
    return { blockMs: { sender: (rules * elements) / 2_000 } };
  },
  centers: (genome) => {
    const page = textOf(genome, 'page');
    return page.length > 100_000
      ? { refusedSteps: 1 }
      : { blockMs: { pages: page.split('<meta ').length ** 2 / 50_000 } };
  },
  texts: (genome) => {
    const text = textOf(genome, 'text');
    const [, rounds = '1'] = /\.\.(\d+)\)/.exec(text) ?? [];
    const letters = Number(rounds) * 6 * text.split('слово').length;
    if (letters > 1_048_576) return { skipped: 50 };
    return { peakMb: { sender: 100 + (letters * countsIn(genome).senders) / 50_000 } };
  },
  headers: (genome) => {
    const [copies, block] = [textOf(genome, 'copies'), textOf(genome, 'text')];
    if (copies.length > 320 || block.length > 50_000) return { status: 400 };
    return { recipients: 1 + (copies.includes('content_blocks') ? block.split('@').length - 1 : 1) };
  },
};

const textOf = ({ parts = {} }: Genome, name: string): string =>
  plainText(withParts(parts[name] ?? { text: '' }, parts), { n: '1', i: '0' });

const countsIn = ({ parts = {}, senders = 1 }: Genome) => {
  const { filters } = parts;
  return { senders, ...(filters && 'list' in filters && { filters: filters.count }) };
};

const mostTrials = 100;

const playRoad = async (name: string, seed: number): Promise<number> => {
  const aim = {
    numbers: numbersOf.road(name),
    seeds: roads.filter((road) => road.name === name).flatMap(seedsOfRoad),
  };
  const cost = (genome: Genome): Cost =>
    aCost({ waitedMs: { sender: 900 }, blockMs: { sender: 40 }, ...withoutBounds[name]?.(genome) });
  return (await play(aim, mostTrials, cost, seed)).measurements;
};

describe('the hunt on a road of messaging', () => {
  it.each(Object.keys(withoutBounds))(
    'mostly finds by itself what shows only when it is large: %s',
    async (name) => {
      const trials: number[] = [];
      for (const seed of [1, 2, 3]) trials.push(await playRoad(name, seed));
      expect(trials.filter((count) => count < mostTrials).length).toBeGreaterThan(1);
    },
  );
});
