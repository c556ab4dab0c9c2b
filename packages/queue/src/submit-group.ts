/** From a job to the turns, and what is contested beside them. */
import type { AcceptedRequest } from '@roster/contract';
import { cutContested, partGroup } from './contested.ts';
import { createGathering } from './gather.ts';
import { type InHand, triesOf } from './later.ts';
import type { QueueName } from './names.ts';
import type { BatchLimits, Held } from './turns.ts';

export interface HeldJob extends Held {
  queue: QueueName;
}

export const inHand = ({ queue, group }: HeldJob): InHand[] => {
  const { requests } = group;
  const share = { entries: group.entries / requests.length, bytes: group.bytes / requests.length };
  return requests.map((packed) => ({ queue, packed, tries: triesOf(group, packed), ...share }));
};

interface Submitting {
  isContested?: ((request: AcceptedRequest) => boolean) | undefined;
  limits: BatchLimits;
  submit(held: HeldJob): Promise<void>;
  settleContested(piece: InHand[]): Promise<void>;
}

/** To the turns; what is contested goes beside them. */
export const createSubmitGroup = ({ isContested, limits, submit, settleContested }: Submitting) => {
  /** Beside the turns, and one at a time: this process at least is not in its own way. What comes meanwhile gathers. */
  const submitContested = createGathering<InHand, void>(async (items) => {
    for (const piece of cutContested(items, limits)) await settleContested(piece);
    return [];
  });

  return async (held: HeldJob): Promise<void> => {
    // One that stalled before runs alone, and as a whole.
    if (!isContested || held.stalls > 0) return submit(held);
    const { free, contested } = partGroup(held.group, isContested);
    if (contested.length === 0) return submit(held);
    const taken = new Set(contested.map(({ packed }) => packed));
    const parts = inHand(held)
      .filter(({ packed }) => taken.has(packed))
      .map(submitContested);
    if (free.requests.length > 0) parts.push(submit({ ...held, group: free }));
    const results = await Promise.allSettled(parts);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };
};
