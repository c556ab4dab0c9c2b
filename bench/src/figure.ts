import { type Spread, spread } from './stats.ts';

/** The limit that a figure's median has to keep. */
export type Bar = { atMost: number } | { atLeast: number } | undefined;

/** One line of the table. */
export interface Figure {
  work: string;
  unit: string;
  bar: Bar;
  runs: number[];
  /** What else was seen, for the reader who doubts the figure. */
  detail?: Record<string, number | string>;
}

export interface Judged extends Figure {
  spread: Spread;
  verdict: 'met' | 'NOT MET' | 'no bar';
}

const keeps = (bar: Exclude<Bar, undefined>, value: number): boolean =>
  'atMost' in bar ? value <= bar.atMost : value >= bar.atLeast;

export const judge = (figure: Figure): Judged => {
  const seen = spread(figure.runs);
  const verdict = figure.bar === undefined ? 'no bar' : keeps(figure.bar, seen.median) ? 'met' : 'NOT MET';
  return { ...figure, spread: seen, verdict };
};
