/** What was compared: how often, where the answers differed, and examples to look up. */
import { linesOf } from '../shown.ts';

const mostPlaces = 200;
const mostExamples = 3;
const mostApps = 1000;

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** A request whose answers differ there. */
export interface Example {
  /** Of the request to Roster, and of the one to the other service. */
  request_id: string | undefined;
  their_request_id: string | undefined;
  /** When the other service had answered. */
  time: string;
}

interface Tally {
  requests: number;
  same: number;
  /** How often each place differed. */
  places: Map<string, number>;
  examples: Map<string, Example[]>;
}

const addPlace = ({ places, examples }: Tally, place: string, example: Example | undefined): void => {
  const name = places.has(place) || places.size < mostPlaces ? place : '(other places)';
  count(places, name);
  const before = examples.get(name) ?? [];
  if (example && before.length < mostExamples) examples.set(name, [...before, example]);
};

export const createComparison = () => {
  /** By operation. */
  const all = new Map<string, Tally>();
  /** By the reason. */
  const left = new Map<string, number>();
  const madeAnew = new Set<string>();
  /** The name there, by the id here. */
  const apps = new Map<string, string>();
  return {
    compared(operation: string, places: readonly string[], example?: Example): void {
      const tally = all.get(operation) ?? { requests: 0, same: 0, places: new Map(), examples: new Map() };
      all.set(operation, tally);
      tally.requests += 1;
      if (places.length === 0) tally.same += 1;
      for (const place of places) addPlace(tally, place, example);
    },
    left: (reason: string): void => count(left, reason),
    /** A member that is not compared, as both services make it for themselves. */
    madeAnew: (name: string): unknown => madeAnew.add(name),
    /** Each app has a name there and an id here: the two have to stand together each time. */
    isSameApp(theirs: string, ours: string): boolean {
      const known = apps.get(ours);
      if (known === undefined && apps.size < mostApps) apps.set(ours, theirs);
      return (known ?? theirs) === theirs;
    },
    report: () => ({
      operations: Object.fromEntries(
        [...all].map(([id, { requests, same, places, examples }]) => [
          id,
          {
            requests,
            same,
            places: Object.fromEntries(places),
            ...(examples.size > 0 && { examples: Object.fromEntries(examples) }),
          },
        ]),
      ),
      ...(madeAnew.size > 0 && { madeAnew: [...madeAnew].sort() }),
      notCompared: Object.fromEntries(left),
    }),
  };
};

export type Comparison = ReturnType<typeof createComparison>;

/** An id comes from the other side: nothing in it may steer a terminal. */
const shownId = (id: string): string => id.slice(0, 80).replace(/[^\x21-\x7e]/g, '?');

const shownExample = ({ request_id, their_request_id, time }: Example): string => {
  const here = request_id === undefined ? '' : `, request ${shownId(request_id)}`;
  const there = their_request_id === undefined ? '' : `, there ${shownId(their_request_id)}`;
  return `    ${time}${here}${there}`;
};

export const inWords = ({
  operations,
  madeAnew = [],
  notCompared,
}: ReturnType<Comparison['report']>): string => {
  const lines = Object.entries(operations).flatMap(([id, { requests, same, places, examples = {} }]) => [
    `${id}: ${requests} compared, ${same} with the same answer`,
    ...Object.entries(places).flatMap(([place, times]) => [
      `  ${times} x ${place}`,
      ...(examples[place] ?? []).map(shownExample),
    ]),
  ]);
  const left = Object.entries(notCompared).map(([reason, times]) => `not compared: ${times} (${reason})`);
  const anew = madeAnew.length > 0 && `left out, as each service makes its own: ${madeAnew.join(', ')}`;
  return linesOf([...lines, anew, ...left]) || 'no request came\n';
};
