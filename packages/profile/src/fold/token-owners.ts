/** A push token belongs to the person who sent it last. */
import type { ListItem, Profile } from '../profile.ts';

export type TokenHolder = Pick<Profile, '_id' | 'lists'>;

interface Held<Holder> {
  holder: Holder;
  item: ListItem;
}

/** Of one request the later entry, whose new person has the greater service id. */
const isLater = (one: Held<TokenHolder>, other: Held<TokenHolder>): boolean =>
  one.item.at === other.item.at ? one.holder._id > other.holder._id : one.item.at > other.item.at;

/** By holder: the tokens that another holder has sent later, and the stamp from which each would stay. */
export const lostTokens = <Holder extends TokenHolder>(
  holders: readonly Holder[],
  tokens: ReadonlySet<string>,
): Map<Holder, Map<string, number>> => {
  const all = holders.flatMap((holder): Held<Holder>[] =>
    (holder.lists.push_tokens?.items ?? []).flatMap((item) => (tokens.has(item.k) ? [{ holder, item }] : [])),
  );
  const owners = new Map<string, Held<Holder>>();
  for (const held of all) {
    const owner = owners.get(held.item.k);
    if (!owner || isLater(held, owner)) owners.set(held.item.k, held);
  }
  const lost = new Map<Holder, Map<string, number>>();
  for (const held of all) {
    const { holder, item } = held;
    if (owners.get(item.k) === held) continue;
    lost.set(holder, (lost.get(holder) ?? new Map<string, number>()).set(item.k, item.at + 1));
  }
  return lost;
};
