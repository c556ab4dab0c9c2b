import type { AcceptedRequest } from '@roster/contract';

/** Whether trying again can help: a conflict or a lost connection passes, a type error never does. */
export type ErrorClass = 'passing' | 'permanent' | 'unknown';

export interface Cause {
  code: string;
  reason: string;
}

/** The worker is going down: what is not applied goes back to its queue. */
export class Released extends Error {}

export interface SettleOptions<Done> {
  apply(requests: AcceptedRequest[]): Promise<Done[]>;
  classify(error: unknown): ErrorClass;
  /** Parks one request for good and says what its caller gets. */
  dead(request: AcceptedRequest, cause: Cause): Promise<Done>;
  stopping(): boolean;
  onRetry?(error: unknown, requests: number): void;
  /** How long a passing error is retried before it counts as permanent. */
  patienceMs?: number;
  pause?(ms: number): Promise<void>;
}

const day = 24 * 3600 * 1000;
const triesAlone = 3;

/** Exponential, capped, with full jitter: a herd of workers must not come back in step. */
export const backoffMs = (attempt: number, random = Math.random): number =>
  Math.round(Math.min(50 * 2 ** Math.min(attempt, 10), 5000) * (0.5 + random() / 2));

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const describeError = (error: unknown): Cause => {
  const { code, codeName, name, message } = error as {
    code?: unknown;
    codeName?: string;
    name?: string;
    message?: string;
  };
  return {
    code: String(codeName ?? code ?? name ?? 'Error'),
    reason: String(message ?? error).slice(0, 500),
  };
};

/**
 * Applies a batch whatever it takes: passing errors are retried in place, a batch that fails for its content is cut in halves
 * until the culprit stands alone, and the culprit becomes a dead letter. Everything else in the batch is applied.
 */
export const createSettle = <Done>(options: SettleOptions<Done>) => {
  const { apply, classify, dead, stopping, onRetry, patienceMs = day, pause = sleep } = options;

  const alone = async (request: AcceptedRequest, error: unknown, tries: number): Promise<Done> => {
    if (classify(error) === 'permanent' || tries >= triesAlone) return dead(request, describeError(error));
    await pause(backoffMs(tries));
    try {
      const [done] = await apply([request]);
      return done as Done;
    } catch (next) {
      if (classify(next) === 'passing') return settleOne(request);
      return alone(request, next, tries + 1);
    }
  };

  const settleOne = async (request: AcceptedRequest): Promise<Done> => (await settle([request]))[0] as Done;

  const halves = async (requests: AcceptedRequest[]): Promise<Done[]> => {
    const middle = Math.ceil(requests.length / 2);
    return [...(await settle(requests.slice(0, middle))), ...(await settle(requests.slice(middle)))];
  };

  const settle = async (requests: AcceptedRequest[]): Promise<Done[]> => {
    const since = performance.now();
    for (let attempt = 0; ; attempt++) {
      if (stopping() && attempt > 0) throw new Released();
      try {
        return await apply(requests);
      } catch (error) {
        const patient = performance.now() - since < patienceMs;
        onRetry?.(error, requests.length);
        if (classify(error) === 'passing' && patient) await pause(backoffMs(attempt));
        else if (requests.length > 1) return halves(requests);
        else return [await alone(requests[0] as AcceptedRequest, error, patient ? 1 : triesAlone)];
      }
    }
  };

  return settle;
};
