// P4: nothing is lost in silence. Whatever was accepted is applied, dead or still on its way, and these three add up.
import type { Redis } from 'ioredis';
import type { Db } from './mongo.ts';
import { deadLetters, requestsInFlight } from './queue-state.ts';

export interface Balance {
  accepted: number;
  applied: number;
  dead: number;
  inFlight: number;
  /** accepted - applied - dead - inFlight; anything but 0 is a broken promise. */
  difference: number;
  /** Some of those that are nowhere. */
  missing: string[];
}

interface Mark {
  _id: string;
  state: 'applied' | 'failed';
}

const marksOf = async (mongo: Db, ids: string[]): Promise<Map<string, string>> => {
  const marks = new Map<string, string>();
  for (let from = 0; from < ids.length; from += 5_000) {
    const some = { _id: { $in: ids.slice(from, from + 5_000) } };
    const found = mongo.collection<Mark>('requests').find(some, { projection: { state: 1 } });
    for await (const { _id, state } of found) marks.set(_id, state);
  }
  return marks;
};

/** Each accepted request is counted once: where it came to rest, else where it is on its way. */
export const reconcile = async (parts: {
  accepted: Iterable<string>;
  mongo: Db;
  redis: Redis;
  /** Dead letters about deleted people only are gone with the people; the marks are not. */
  erases?: true;
}): Promise<Balance> => {
  const ids = [...new Set(parts.accepted)];
  // In this order: a request may move on between two looks, but only from the queue towards MongoDB.
  const inFlight = new Set((await requestsInFlight(parts.redis)).map(({ id }) => id));
  const dead = new Set((await deadLetters(parts.redis)).map(({ id }) => id));
  const marks = await marksOf(parts.mongo, ids);

  const place = (id: string): 'applied' | 'dead' | 'inFlight' | 'missing' => {
    if (marks.get(id) === 'applied') return 'applied';
    if (dead.has(id) || (parts.erases && marks.get(id) === 'failed')) return 'dead';
    return inFlight.has(id) ? 'inFlight' : 'missing';
  };
  const places = ids.map(place);
  const count = (of: ReturnType<typeof place>) => places.filter((found) => found === of).length;
  const [applied, atRest, onItsWay] = [count('applied'), count('dead'), count('inFlight')];
  return {
    accepted: ids.length,
    applied,
    dead: atRest,
    inFlight: onItsWay,
    difference: ids.length - applied - atRest - onItsWay,
    missing: ids.filter((_, i) => places[i] === 'missing').slice(0, 5),
  };
};

/** The sentence for the findings, when there is one. */
export const imbalance = ({ difference, missing }: Balance): string[] =>
  difference === 0
    ? []
    : [`reconciliation: ${difference} accepted requests are nowhere, ${missing.join(', ')}`];
