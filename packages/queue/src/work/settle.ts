import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedRequest } from '@roster/contract';
import { courseAfter, type Failed, type FailureClass, none, partSize } from '../guard/course.ts';
import type { Cause } from '../guard/evidence.ts';

/** The worker is stopping: requests that are not applied go back to their queue. */
export class Released extends Error {}

export interface SettleOptions<Done> {
  apply(requests: AcceptedRequest[]): Promise<Done[]>;
  classify(error: unknown): FailureClass;
  /** Whether the database works. While it does not, a timeout does not count against a request. */
  isWell?(): Promise<boolean>;
  /** Turns a request into a dead letter and returns the reply for its caller. */
  dead(request: AcceptedRequest, cause: Cause): Promise<Done>;
  stopping(): boolean;
  onRetry?(error: unknown, requests: number): void;
  pause?(ms: number): Promise<void>;
}

/** How long a passing error is retried before it counts as permanent: a day. */
const patienceMs = 24 * 3600 * 1000;

/** Exponential, capped, with full jitter, so that workers do not come back in step. */
export const backoffMs = (attempt: number, random = Math.random): number =>
  Math.round(Math.min(50 * 2 ** Math.min(attempt, 10), 5000) * (0.5 + random() / 2));

const describeError = (error: unknown): Cause => {
  const { code, codeName, name, message } = error as Partial<
    Record<'code' | 'codeName' | 'name' | 'message', unknown>
  >;
  return {
    code: String(codeName ?? code ?? name ?? 'Error'),
    reason: String(message ?? error).slice(0, 500),
  };
};

/**
 * Applies a batch: passing errors are retried in place. A batch that fails for its content is cut in halves until the request at fault is
 * alone; that request becomes a dead letter, all others are applied.
 */
export const createSettle = <Done>(options: SettleOptions<Done>) => {
  const { apply, classify, dead, stopping, onRetry, pause = sleep } = options;
  const { isWell = async () => true } = options;

  const inParts = async (requests: AcceptedRequest[], size: number, failed: Failed): Promise<Done[]> => {
    const dones: Done[] = [];
    for (let from = 0; from < requests.length; from += size)
      dones.push(...(await settle(requests.slice(from, from + size), failed)));
    return dones;
  };

  const settle = async (requests: AcceptedRequest[], before: Failed = none): Promise<Done[]> => {
    const since = performance.now();
    const [first] = requests as [AcceptedRequest];
    const failed = { ...before };
    for (let attempt = 0; ; attempt++) {
      if (stopping() && attempt > 0) throw new Released();
      try {
        return await apply(requests);
      } catch (error) {
        const patient = performance.now() - since < patienceMs;
        onRetry?.(error, requests.length);
        const kind = classify(error);
        const well = kind === 'too long' && (await isWell());
        if (kind === 'duplicate') failed.duplicates += 1;
        if (well) failed.tooLong += 1;
        const course = courseAfter(kind, requests.length, { failed, patient, isWell: well });
        if (course === 'few' || course === 'halves')
          return inParts(requests, partSize(course, requests.length), failed);
        if (course === 'dead') return [await dead(first, describeError(error))];
        failed.alone = course === 'alone' ? failed.alone + 1 : 0;
        await pause(backoffMs(attempt));
      }
    }
  };

  return (requests: AcceptedRequest[]): Promise<Done[]> => settle(requests);
};
