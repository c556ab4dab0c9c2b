/** What was compared: how often, and where the answers differed. */
interface OperationTally {
  requests: number;
  same: number;
  /** How often each place differed. */
  places: Record<string, number>;
}

export interface Report {
  operations: Record<string, OperationTally>;
  /** Not compared: paths that Roster does not have, too much waiting, or no answer from one of the two. */
  notCompared: Record<string, number>;
}

const mostPlaces = 200;

export interface Tally {
  compared(operation: string, places: readonly string[]): void;
  left(reason: string): void;
  report(): Report;
}

export const createTally = (): Tally => {
  const all = new Map<string, OperationTally>();
  const left = new Map<string, number>();
  const of = (operation: string): OperationTally => {
    const known = all.get(operation) ?? { requests: 0, same: 0, places: {} };
    all.set(operation, known);
    return known;
  };
  return {
    compared(operation, places) {
      const tally = of(operation);
      tally.requests += 1;
      if (places.length === 0) tally.same += 1;
      for (const place of places) {
        const isKnown = Object.hasOwn(tally.places, place);
        const name = isKnown || Object.keys(tally.places).length < mostPlaces ? place : '(other places)';
        tally.places[name] = (tally.places[name] ?? 0) + 1;
      }
    },
    left(reason) {
      left.set(reason, (left.get(reason) ?? 0) + 1);
    },
    report: () => ({ operations: Object.fromEntries(all), notCompared: Object.fromEntries(left) }),
  };
};

export const inWords = ({ operations, notCompared }: Report): string => {
  const lines = Object.entries(operations).flatMap(([id, { requests, same, places }]) => [
    `${id}: ${requests} compared, ${same} with the same answer`,
    ...Object.entries(places).map(([place, count]) => `  ${count} x ${place}`),
  ]);
  const left = Object.entries(notCompared).map(([reason, count]) => `not compared: ${count} (${reason})`);
  const all = [...lines, ...left];
  return all.length === 0 ? 'no request came\n' : `${all.join('\n')}\n`;
};
