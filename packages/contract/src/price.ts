/** What a request costs: known before it is accepted, counted in points, taken from the workspace's pool `work`. */
import type { BodyShape } from './body-shape.ts';
import type { OperationOf, QueueFamily } from './operation.ts';

/** Points of a workspace in a window aligned with the clock: about 1.5 seconds of CPU time for each second. */
export const work = { pool: 'work', requests: 45_000, seconds: 3 } as const;

/** So much CPU time, in all processes together, is a point. */
const microsecondsOfPoint = 100;

/**
 * Microseconds of CPU time, roughly: the bench measured 170 for a request of 1 event, 1,900 for one of 50, 298 for a merge. The weights of
 * entries other than track's and identity's are estimates. A kilobyte weighs more than the parser needs for it: what is large keeps
 * one process busy, and others wait behind it.
 */
export const weights = {
  request: 40,
  kilobyte: 60,
  shape: 1,
  text: 0.3,
  container: 1,
  value: 0.1,
  entry: {
    track: 10,
    subscription: 100,
    identity: 300,
    export: 300,
    scim: 300,
    messaging: 300,
    integrations: 300,
  } satisfies Record<QueueFamily, number>,
} as const;

export interface Workload extends Omit<BodyShape, 'depth' | 'crowd'> {
  entries: number;
}

const points = (microseconds: number): number => Math.max(1, Math.floor(microseconds / microsecondsOfPoint));

/** A worker that loads this much of profiles has worked for a point. */
const loadedBytesOfPoint = 8 * 1024;

/** So much a second is in the price of the requests: profiles are small. */
const freeLoadedBytes = 1024 * 1024;

/** What a workspace pays afterwards for the profiles that its requests made a worker load in one second. */
export function pointsOfLoaded(bytes: number): number {
  return Math.max(0, Math.floor((bytes - freeLoadedBytes) / loadedBytesOfPoint));
}

/** What a workspace pays afterwards for the CPU time that threads took for its templates and emails. */
export function pointsOfTemplates(microseconds: number): number {
  return Math.floor(microseconds / microsecondsOfPoint);
}

/** Points of a workspace for looking for the people of its audiences, apart from its requests: an import of its own does not hold up its messages. */
export const audienceWork = { pool: 'audiences', requests: 22_500, seconds: 3 } as const;

/** MongoDB reads this much of profiles for a point. */
const readBytesOfPoint = 24 * 1024;

/** MongoDB compares one filter with this much of profiles for a point: each is compared with each attribute. */
const comparedBytesOfPoint = 40 * 1024;

/** What a workspace pays for each person among whom its audience is looked for: of so many bytes, with so many filters. */
export function pointsOfPerson(bytes: number, filters: number): number {
  return bytes / readBytesOfPoint + (bytes * filters) / comparedBytesOfPoint;
}

/** Steps of patterns at characters: see packages/audience. */
const visitsOfPoint = 2_000;

/** What a workspace pays afterwards for the patterns of its audiences. */
export function pointsOfVisits(visits: number): number {
  return Math.ceil(visits / visitsOfPoint);
}

/** The part that is paid before the body is read: all that a refused body costs. */
export function priceOfReading(bytes: number): number {
  return points(weights.request + (bytes / 1024) * weights.kilobyte);
}

export function priceOf({ queue }: Pick<OperationOf<string>, 'queue'>, workload: Workload): number {
  const { bytes, shapes, texts, containers, values, entries } = workload;
  return points(
    weights.request +
      (bytes / 1024) * weights.kilobyte +
      shapes * weights.shape +
      texts * weights.text +
      containers * weights.container +
      values * weights.value +
      entries * weights.entry[queue],
  );
}
