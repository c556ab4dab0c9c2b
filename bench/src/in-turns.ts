// The same work by Roster and by its yardstick, the least that such work needs: in turns, so that both meet the same machine.
import type { Bar, Figure } from './figure.ts';
import { spread } from './stats.ts';

export interface Pair<Ours, Bare = Ours> {
  ours: Ours;
  bare: Bare;
}

interface Sides<Ours, Bare> {
  ours(run: number): Promise<Ours>;
  bare(run: number): Promise<Bare>;
}

/** The run with the number -1 warms both up, and does not count. */
export const inTurns = async <Ours, Bare>(
  runs: number,
  { ours, bare }: Sides<Ours, Bare>,
): Promise<Pair<Ours, Bare>[]> => {
  const pairs: Pair<Ours, Bare>[] = [];
  for (let run = -1; run < runs; run++) {
    const pair = { ours: await ours(run), bare: await bare(run) };
    if (run >= 0) pairs.push(pair);
  }
  return pairs;
};

/** What each of so many gives, one after the other. */
export const eachInTurn = async (
  times: number,
  measure: (n: number) => Promise<number>,
): Promise<number[]> => {
  const all: number[] = [];
  for (let n = 0; n < times; n++) all.push(await measure(n));
  return all;
};

interface Against {
  work: string;
  yardstick: string;
  bar: Bar;
  /** Of the two sides, which are shown beside their ratio. */
  unit: string;
  pairs: Pair<number>[];
  detail?: Figure['detail'];
}

const medianOf = (pairs: Pair<number>[], side: keyof Pair<number>): number =>
  spread(pairs.map((pair) => pair[side])).median;

/** How many times the yardstick it is: a figure that holds on any machine. */
export const against = ({ work, yardstick, bar, unit, pairs, detail }: Against): Figure => ({
  work: `${work}, against ${yardstick}`,
  unit: 'times',
  bar,
  runs: pairs.map(({ ours, bare }) => ours / bare),
  detail: { [unit]: medianOf(pairs, 'ours'), [`${unit} bare`]: medianOf(pairs, 'bare'), ...detail },
});

/** The same of something that both sides have. */
export const each = <Seen>(pairs: Pair<Seen>[], of: (seen: Seen) => number): Pair<number>[] =>
  pairs.map(({ ours, bare }) => ({ ours: of(ours), bare: of(bare) }));
