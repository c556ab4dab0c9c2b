/** Places at a server: a slow one holds up nobody who uses another one, or the same one for another workspace. */
import { createPlaces as createAnyPlaces, type Leave } from '@roster/contract';
import type { Answer } from './outgoing.ts';

/** It may take its time, as with an update of a live activity. */
export const anyTime: Leave = { ws: '', until: Number.POSITIVE_INFINITY };

/** There was no place, or no turn, in time. */
export const unbegun: Answer = { state: 'later', reason: 'busy', unbegun: true };

/** So many at each server. */
export const createPlaces = (most: number) => {
  const inPlace = createAnyPlaces(most);
  return async <Done>(name: string, leave: Leave, work: () => Promise<Done>): Promise<Done | Answer> =>
    (await inPlace(name, leave, work)) ?? unbegun;
};
