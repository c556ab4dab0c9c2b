// A row by two checkouts in turns, each on a system of its own that stays up. What a version measures in two runs differs by 15 to 20 %: in pairs of
// neighbours, what the machine does meanwhile meets both.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startChild } from './child.ts';
import type { Figure } from './figure.ts';
import { type Extent, say } from './open-rows.ts';
import type { SideQuestion } from './side.ts';
import { spread } from './stats.ts';

/** What a checkout is asked through. */
export const sideOf = (folder: string): string => resolve(folder, 'bench/dist/side.js');

export interface Compared {
  work: string;
  unit: string;
  here: number;
  there: number;
  ratio: number;
  /** How well the ratio is known: the standard error of its mean. */
  error: number;
}

const meanOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const errorOf = (values: number[]): number => {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
};

/** Of one line, as both sides measured it in each round. */
const compare = ({ work, unit }: Figure, here: number[], there: number[]): Compared => {
  const ratios = here.map((value, round) => value / (there[round] ?? Number.NaN));
  return {
    work,
    unit,
    here: spread(here).median,
    there: spread(there).median,
    ratio: spread(ratios).median,
    error: errorOf(ratios),
  };
};

const mediansOf = (rounds: Figure[][], line: number): number[] =>
  rounds.map((figures) => spread(figures[line]?.runs ?? []).median);

/** The first round warms both up, and does not count. */
export const measureAgainst = async (row: string, folder: string, rounds: number, extent: Extent) => {
  const other = pathToFileURL(sideOf(folder)).href;
  const start = (script: string) => startChild<SideQuestion, Figure[]>(script);
  const sides = { here: start('./side.js'), there: start(other) };
  const seen: Record<keyof typeof sides, Figure[][]> = { here: [], there: [] };
  const names = Object.keys(sides) as (keyof typeof sides)[];
  try {
    for (let round = -1; round < rounds; round++) {
      say(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`);
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const figures = await sides[name].ask({ row, extent });
        if (round >= 0) seen[name].push(figures);
      }
    }
  } finally {
    await Promise.all(names.map((name) => sides[name].stop()));
  }
  const [first = []] = seen.here;
  return first.map((figure, line) =>
    compare(figure, mediansOf(seen.here, line), mediansOf(seen.there, line)),
  );
};
