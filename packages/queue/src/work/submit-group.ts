/** Hands a job to the turns, except for its contested requests. */
import type { AcceptedRequest } from '@roster/contract';
import type { QueueName } from '../names.ts';
import { cutContested, partGroup } from '../order/contested.ts';
import type { InHand } from '../order/postponed.ts';
import { createGathering } from '../produce/gather.ts';
import type { BatchLimits, Leased } from './turns.ts';

export interface LeasedJob extends Leased {
  queue: QueueName;
}

interface Submitting {
  isContested?: ((request: AcceptedRequest) => boolean) | undefined;
  limits: BatchLimits;
  submit(leased: LeasedJob): Promise<void>;
  settleContested(piece: InHand[]): Promise<void>;
}

export const createSubmitGroup = ({ isContested, limits, submit, settleContested }: Submitting) => {
  /** Contested requests run beside the turns, one piece at a time, so that this process does not collide with itself. */
  const submitContested = createGathering<InHand, void>(async (items) => {
    for (const piece of cutContested(items, limits)) await settleContested(piece);
    return [];
  });

  return async (leased: LeasedJob): Promise<void> => {
    // A job that stalled before runs alone, and as a whole.
    if (!isContested || leased.stalls > 0) return submit(leased);
    const { free, contested } = partGroup(leased, isContested);
    if (contested.length === 0) return submit(leased);
    const parts = contested.map(submitContested);
    if (free.requests.length > 0) parts.push(submit({ ...leased, group: free }));
    const results = await Promise.allSettled(parts);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };
};
