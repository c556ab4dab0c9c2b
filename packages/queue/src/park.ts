import type { AcceptedRequest } from '@roster/contract';
import type { DeadLetters } from './dead.ts';
import type { Cause } from './evidence.ts';
import type { QueueFamily } from './names.ts';

export interface ParkOptions {
  letters: Pick<DeadLetters, 'add'>;
  /** Where the request goes when it is retried. */
  queue: QueueFamily;
  /** Takes out what the error of a library quotes of the values it choked on: callers and operators read the reason. */
  mask(text: string): string;
  /** Writes down for callers that the request failed. */
  fail(request: AcceptedRequest, reason: string): Promise<void>;
  log: { error(fields: object, message: string): void };
}

/**
 * Lays a request that can't be applied aside and gives the reason in words. The letter comes first: a crash in between leaves a letter
 * whose outcome is still open, and the request comes again.
 */
export const createPark =
  ({ letters, queue, mask, fail, log }: ParkOptions) =>
  async (request: AcceptedRequest, cause: Cause): Promise<string> => {
    const { id, op, ws } = request;
    const { code } = cause;
    const reason = mask(cause.reason);
    await letters.add({ id, queue, code, reason, at: new Date().toISOString(), request });
    await fail(request, `${code}: ${reason}`);
    log.error({ request: id, op, ws, code }, 'dead letter');
    return `${code}: ${reason}`;
  };
