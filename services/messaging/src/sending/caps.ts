/** Frequency caps: how much of a channel a person got in the last days. What people got who were merged into them counts too. */
import type { WorkspaceSettings } from '@roster/access';
import { ownersIn, type Profile } from '@roster/profile';
import type { Channel, Session, Store } from '@roster/store';

export type Cap = WorkspaceSettings['messaging']['frequency_caps'][number];

type Holder = Pick<Profile, '_id' | 'absorbed'>;

const dayMs = 24 * 60 * 60 * 1000;

interface Counting {
  channel: Channel;
  now: Date;
  session?: Session;
}

const countSends = async (
  { messages }: Pick<Store, 'messages'>,
  days: number,
  holders: readonly Holder[],
  { channel, now, session }: Counting,
): Promise<Map<string, number>> => {
  const owners = ownersIn(holders);
  const since = new Date(now.getTime() - days * dayMs);
  const found = messages.sends.aggregate<{ _id: string; n: number }>(
    [
      { $match: { profile: { $in: [...owners.keys()] }, at: { $gt: since } } },
      { $match: { channel, state: { $in: ['sent', 'sending', 'unknown'] } } },
      { $group: { _id: '$profile', n: { $sum: 1 } } },
    ],
    { ...(session && { session }) },
  );
  const counts = new Map<string, number>();
  for await (const { _id, n } of found) {
    const owner = owners.get(_id) ?? _id;
    counts.set(owner, (counts.get(owner) ?? 0) + n);
  }
  return counts;
};

export const capsOf = (channel: Channel, caps: readonly Cap[]): readonly Cap[] =>
  caps.filter((cap) => cap.channel === channel);

/** Those who have had as much as they may have: nothing has to be written for them. */
export const createCapped =
  (store: Pick<Store, 'messages'>) =>
  async (caps: readonly Cap[], holders: readonly Holder[], counting: Counting) => {
    const capped = new Set<string>();
    for (const { sends, days } of caps)
      for (const [id, n] of await countSends(store, days, holders, counting)) if (n >= sends) capped.add(id);
    return capped;
  };

/** Counts one more message for a person; `false` when a cap is reached. A message that is free of caps counts always. */
export type Claim = (id: string, caps: readonly Cap[]) => boolean;

/**
 * In the transaction that writes the rows. Of two that claim in one lane at the same moment the second one is done again by `transact`, because both
 * write the document of the lane: so it sees what the first one has claimed, and a cap is exact over all processes.
 */
export const createClaims =
  (store: Pick<Store, 'messages' | 'profiles'>) =>
  async (
    session: Session,
    lane: string,
    caps: readonly Cap[],
    ids: readonly string[],
    counting: Counting,
  ): Promise<Claim> => {
    await store.messages.lanes.updateOne({ _id: lane }, { $inc: { turns: 1 } }, { upsert: true, session });
    const holders = await store.profiles
      .find<Holder>({ _id: { $in: [...ids] } }, { session, projection: { absorbed: 1 } })
      .toArray();
    const counts = new Map<Cap, Map<string, number>>();
    for (const cap of caps)
      counts.set(cap, await countSends(store, cap.days, holders, { ...counting, session }));
    return (id, own) => {
      const isFull = own.some((cap) => (counts.get(cap)?.get(id) ?? 0) >= cap.sends);
      if (!isFull) for (const of of counts.values()) of.set(id, (of.get(id) ?? 0) + 1);
      return !isFull;
    };
  };
