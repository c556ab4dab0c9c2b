// The figures of work whose cost both sides have: processor time for one, and how many in a second.
import type { Cost } from './cost.ts';
import type { Bar, Figure } from './figure.ts';
import { against, each, type Pair } from './in-turns.ts';

interface Judged {
  work: string;
  bar: Bar;
}

interface Pairs {
  yardstick: string;
  pairs: Pair<Cost>[];
}

type Compared = Judged & Pairs;

/** A process that takes hardly anything is left out. */
const leastShare = 0.01;

/** With what each process took of it in the last run. */
export const cpuAgainst = ({ pairs, ...words }: Compared): Figure => {
  const { us = 0, parts = {} } = pairs.at(-1)?.ours ?? {};
  const seen = Object.entries(parts).filter(([, own]) => own >= us * leastShare);
  return against({
    ...words,
    unit: 'us',
    pairs: each(pairs, (cost) => cost.us),
    detail: seen.length > 1 ? Object.fromEntries(seen) : {},
  });
};

export const rateAgainst = ({ pairs, ...words }: Compared): Figure =>
  against({ ...words, unit: 'a second', pairs: each(pairs, ({ perSecond }) => perSecond) });

export const rateAndCpu = ({ rate, cpu, ...both }: Pairs & { rate: Judged; cpu: Judged }): Figure[] => [
  rateAgainst({ ...both, ...rate }),
  cpuAgainst({ ...both, ...cpu }),
];
