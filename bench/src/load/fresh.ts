import type { People } from './bodies.ts';

let sent = 0;

/** Other events each time. */
export const freshEvents = (people: People, perRequest: number) =>
  ({ kind: 'fresh-events', people, perRequest, seed: ++sent }) as const;

/** Other people and values each time. */
export const freshUpdates = (people: People, perRequest: number) =>
  ({ kind: 'fresh-updates', people, perRequest, seed: ++sent }) as const;
