/** Frequency caps: how much of a channel a person got in the last days. */
import type { Channel, Store } from '@roster/store';

export interface Cap {
  channel: string;
  sends: number;
  days: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Those among these people who have had as much as they may have. */
export const createCapped =
  ({ messages }: Pick<Store, 'messages'>) =>
  async (
    channel: Channel,
    caps: readonly Cap[],
    ids: readonly string[],
    now: Date,
  ): Promise<ReadonlySet<string>> => {
    const capped = new Set<string>();
    for (const { sends, days } of caps.filter((cap) => cap.channel === channel)) {
      const since = new Date(now.getTime() - days * dayMs);
      const full = messages.sends.aggregate<{ _id: string }>([
        { $match: { profile: { $in: [...ids] }, at: { $gt: since } } },
        { $match: { channel, state: { $in: ['sent', 'sending', 'unknown'] } } },
        { $group: { _id: '$profile', n: { $sum: 1 } } },
        { $match: { n: { $gte: sends } } },
      ]);
      for await (const { _id } of full) capped.add(_id);
    }
    return capped;
  };
