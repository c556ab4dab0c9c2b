/** What was compared: how often, and where the answers differed. */
interface OperationCounts {
  requests: number;
  same: number;
  /** How often each place differed. */
  places: Map<string, number>;
}

const mostPlaces = 200;

export interface Report {
  operations: Record<string, { requests: number; same: number; places: Record<string, number> }>;
  /** By the reason. */
  notCompared: Record<string, number>;
}

export interface Comparison {
  compared(operation: string, places: readonly string[]): void;
  left(reason: string): void;
  report(): Report;
}

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

export const createComparison = (): Comparison => {
  const all = new Map<string, OperationCounts>();
  const left = new Map<string, number>();
  return {
    compared(operation, places) {
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
    left: (reason) => count(left, reason),
    report: () => ({
      operations: Object.fromEntries(
        [...all].map(([id, tally]) => [id, { ...tally, places: Object.fromEntries(tally.places) }]),
      ),
      notCompared: Object.fromEntries(left),
    }),
  };
};

export const inWords = ({ operations, notCompared }: Report): string => {
  const lines = Object.entries(operations).flatMap(([id, { requests, same, places }]) => [
    `${id}: ${requests} compared, ${same} with the same answer`,
    ...Object.entries(places).map(([place, times]) => `  ${times} x ${place}`),
  ]);
  const left = Object.entries(notCompared).map(([reason, times]) => `not compared: ${times} (${reason})`);
  const all = [...lines, ...left];
  return all.length === 0 ? 'no request came\n' : `${all.join('\n')}\n`;
};
