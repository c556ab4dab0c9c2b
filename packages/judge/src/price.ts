/** What a request costs: known before it is accepted, counted in points, taken from the workspace's pool `work`. */

import { type BodyShape, microsecondsOfPoint, type OperationOf, type QueueFamily } from '@roster/contract';

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
