import type { People } from './bodies.ts';

/** What the load generator is asked to send. */
export interface LoadSpec {
  url: string;
  apiKey: string;
  connections: number;
  /** Stops at whichever comes first. */
  requests?: number;
  seconds?: number;
  load:
    | { kind: 'events' | 'updates'; people: People; perRequest: number }
    | { kind: 'fresh-events' | 'fresh-updates'; people: People; perRequest: number; seed: number }
    | { kind: 'arrivals'; people: People; from?: number };
}

/** What came of it. Times are milliseconds, except where the name says seconds. */
export interface LoadReport {
  answered: number;
  statuses: Record<string, number>;
  seconds: number;
  p50: number;
  p99: number;
}

let sent = 0;

/** Other events each time. */
export const freshEvents = (people: People, perRequest: number) =>
  ({ kind: 'fresh-events', people, perRequest, seed: ++sent }) as const;

/** Other people and values each time. */
export const freshUpdates = (people: People, perRequest: number) =>
  ({ kind: 'fresh-updates', people, perRequest, seed: ++sent }) as const;
