import type { Tally } from './story.ts';

export interface Comparison {
  lost: number;
  doubled: number;
  /** Effects of requests that were never accepted. */
  foreign: number;
  revenueOff: number;
  visitsOff: number;
}

export const compareCounts = (wanted: Map<string, number>, found: Map<string, number>) => {
  const of = { lost: 0, doubled: 0, foreign: 0 };
  for (const [name, count] of wanted) {
    const seen = found.get(name) ?? 0;
    of.lost += Math.max(0, count - seen);
    of.doubled += Math.max(0, seen - count);
  }
  for (const name of found.keys()) if (!wanted.has(name)) of.foreign++;
  return of;
};

export const compare = (wanted: Tally, found: Tally): Comparison => {
  const events = compareCounts(wanted.events, found.events);
  const products = compareCounts(wanted.products, found.products);
  const visits = compareCounts(wanted.visits, found.visits);
  return {
    lost: events.lost + products.lost,
    doubled: events.doubled + products.doubled,
    foreign: events.foreign + products.foreign + visits.foreign,
    revenueOff: found.revenue - wanted.revenue,
    visitsOff: visits.lost + visits.doubled,
  };
};

/** One sentence for each figure that isn't zero. */
export const differences = (comparison: Comparison): string[] => {
  const { lost, doubled, foreign, revenueOff, visitsOff } = comparison;
  const said = (count: number, sentence: string) => (count === 0 ? [] : [`${count} ${sentence}`]);
  return [
    ...said(lost, 'events and purchases of accepted requests are lost'),
    ...said(doubled, 'events and purchases are stored twice'),
    ...said(foreign, 'effects belong to no accepted request'),
    ...said(revenueOff, 'off in the sum of the purchases'),
    ...said(visitsOff, 'off in the increments'),
  ];
};
