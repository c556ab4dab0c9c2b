/** What was compared: how often, and where the answers differed. */
import { linesOf } from '../shown.ts';

const mostPlaces = 200;

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

export const createComparison = () => {
  /** By operation; `places`: how often each place differed. */
  const all = new Map<string, { requests: number; same: number; places: Map<string, number> }>();
  /** By the reason. */
  const left = new Map<string, number>();
  return {
    compared(operation: string, places: readonly string[]): void {
      const tally = all.get(operation) ?? { requests: 0, same: 0, places: new Map() };
      all.set(operation, tally);
      tally.requests += 1;
      if (places.length === 0) tally.same += 1;
      for (const place of places)
        count(
          tally.places,
          tally.places.has(place) || tally.places.size < mostPlaces ? place : '(other places)',
        );
    },
    left: (reason: string): void => count(left, reason),
    report: () => ({
      operations: Object.fromEntries(
        [...all].map(([id, tally]) => [id, { ...tally, places: Object.fromEntries(tally.places) }]),
      ),
      notCompared: Object.fromEntries(left),
    }),
  };
};

export type Comparison = ReturnType<typeof createComparison>;

export const inWords = ({ operations, notCompared }: ReturnType<Comparison['report']>): string => {
  const lines = Object.entries(operations).flatMap(([id, { requests, same, places }]) => [
    `${id}: ${requests} compared, ${same} with the same answer`,
    ...Object.entries(places).map(([place, times]) => `  ${times} x ${place}`),
  ]);
  const left = Object.entries(notCompared).map(([reason, times]) => `not compared: ${times} (${reason})`);
  return linesOf([...lines, ...left]) || 'no request came\n';
};
