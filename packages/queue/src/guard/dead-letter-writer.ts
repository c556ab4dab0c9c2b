import type { AcceptedRequest, QueueFamily } from '@roster/contract';
import type { DeadLetters } from './dead.ts';
import type { Cause } from './evidence.ts';

export interface DeadLetterWriterOptions {
  letters: Pick<DeadLetters, 'add'>;
  /** Where the request goes when it is retried. */
  queue: QueueFamily;
  /** Removes quoted values from the error of a library: callers and operators read the reason. */
  mask(text: string): string;
  /** Records the failure of the request for its caller. */
  fail(request: AcceptedRequest, reason: string): Promise<void>;
  log: { error(fields: object, message: string): void };
}

/**
 * Turns a request that can't be applied into a dead letter and returns the reason in words. The letter is written before the outcome:
 * after a crash in between, the request is tried again.
 */
export const createDeadLetterWriter =
  ({ letters, queue, mask, fail, log }: DeadLetterWriterOptions) =>
  async (request: AcceptedRequest, cause: Cause): Promise<string> => {
    const { id, op, ws } = request;
    const { code } = cause;
    const reason = mask(cause.reason);
    await letters.add({ id, queue, code, reason, at: new Date().toISOString(), request });
    await fail(request, `${code}: ${reason}`);
    log.error({ request: id, op, ws, code }, 'dead letter');
    return `${code}: ${reason}`;
  };
