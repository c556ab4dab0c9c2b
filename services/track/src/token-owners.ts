/** A push token belongs to the person who sent it last: a device that was handed over would get the pushes of both. */
import { changeTo } from '@roster/batch';
import { type Identity, type ListItem, type Profile, tokenIdentity, withoutTokens } from '@roster/profile';
import type { Session, Store } from '@roster/store';
import type { ReadyTrack } from './planner.ts';

interface GainedToken {
  ws: string;
  token: string;
  profile: string;
  at: number;
}

/** Tokens that people of a batch did not have before. */
export const gainedIn = ({ changed, created }: Pick<ReadyTrack, 'changed' | 'created'>): GainedToken[] =>
  [...changed, ...created.map((after) => ({ before: undefined, after }))].flatMap(({ before, after }) => {
    const had = new Set(before?.token_keys);
    const gained = (after.lists.push_tokens?.items ?? []).filter(({ k }) => !had.has(k));
    return gained.map(({ k, at }) => ({ ws: after.ws, token: k, profile: after._id, at }));
  });

/** Two batches that give one token to two people at once collide by it. */
export const locksOf = (gained: readonly GainedToken[]): Identity[] =>
  gained.map(({ ws, token, profile, at }) => ({ key: tokenIdentity(ws, token), profile, at }));

type Holder = Pick<Profile, '_id' | 'lists'>;

const projection = { 'lists.push_tokens': 1, 'lists.devices': 1 } as const;

/** Of earlier versions, which let a token stay with many people. */
const mostHolders = 1_000;

interface Held {
  holder: Holder;
  item: ListItem;
}

/** Of one request the later entry, whose new person has the greater service id. */
const isLater = (one: Held, other: Held): boolean =>
  one.item.at === other.item.at ? one.holder._id > other.holder._id : one.item.at > other.item.at;

const heldBy = (holders: readonly Holder[], tokens: ReadonlySet<string>): Held[] =>
  holders.flatMap((holder) =>
    (holder.lists.push_tokens?.items ?? []).flatMap((item) => (tokens.has(item.k) ? [{ holder, item }] : [])),
  );

/** By holder: the tokens that somebody else has sent later, and the stamp from which each would stay. */
const lostBy = (holders: readonly Holder[], tokens: ReadonlySet<string>) => {
  const all = heldBy(holders, tokens);
  const owners = new Map<string, Held>();
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

const without = (holder: Holder, lost: ReadonlyMap<string, number>) => {
  const { lists, device_keys, token_keys } = withoutTokens(holder, lost);
  return changeTo({ 'lists.push_tokens': lists.push_tokens, device_keys, token_keys });
};

/** After the people of a batch are written, in their transaction. */
export const takeFromOthers = async (
  { profiles }: Pick<Store, 'profiles'>,
  session: Session,
  gained: readonly GainedToken[],
): Promise<void> => {
  for (const ws of new Set(gained.map((one) => one.ws))) {
    const tokens = new Set(gained.filter((one) => one.ws === ws).map(({ token }) => token));
    const holders: Holder[] = await profiles
      .find(
        { ws, token_keys: { $in: [...tokens] } },
        { session, projection, limit: mostHolders + tokens.size },
      )
      .toArray();
    const changes = [...lostBy(holders, tokens)].map(([holder, lost]) => ({
      updateOne: { filter: { _id: holder._id }, update: without(holder, lost) },
    }));
    if (changes.length > 0) await profiles.bulkWrite(changes, { session });
  }
};
