/** Lists with a key for each item. The latest stamp of each item wins; a clearing removes all items before it. */
import type { List, ListItem, Profile, Stamp } from '../profile.ts';

export type NewItem = Omit<ListItem, 'at'>;

/** The bound of one list: each change of a list reads all of it. */
export const mostItems = 2500;

/** In the order of their stamps, ties by key: one order, however the items came. */
const byStamp = (a: ListItem, b: ListItem): number => a.at - b.at || (a.k < b.k ? -1 : a.k > b.k ? 1 : 0);

/** Newer items stay, and so do items of the same request after the clearing: they are folded after it. */
export const clearList = (list: List | undefined, at: Stamp): List => ({
  cleared: Math.max(list?.cleared ?? 0, at),
  items: (list?.items ?? []).filter((item) => item.at > at),
});

export const putItems = (list: List | undefined, items: readonly NewItem[], at: Stamp): List => {
  const old = list ?? { items: [] };
  if (old.cleared !== undefined && at < old.cleared) return old;
  const byKey = new Map(old.items.map((item) => [item.k, item]));
  for (const { k, v } of items) {
    const same = byKey.get(k);
    if (!same || at >= same.at) byKey.set(k, { k, v, at });
  }
  return { ...old, items: newestItems([...byKey.values()]) };
};

/** When there are too many the oldest go. */
export const newestItems = (items: readonly ListItem[]): ListItem[] =>
  items.toSorted(byStamp).slice(-mostItems);

/** The key of a push token: two parts, the first preceded by its length, so that two tokens never have the same key. */
export const tokenKey = (appId: string, token: string): string => `${appId.length}:${appId}:${token}`;

const deviceIds = (list: List | undefined): string[] =>
  (list?.items ?? []).flatMap(({ v }) => (typeof v.device_id === 'string' ? [v.device_id] : []));

type Listed = Pick<Profile, 'lists' | 'device_keys' | 'token_keys'>;

const setKeys = (profile: Listed, name: 'device_keys' | 'token_keys', keys: readonly string[]): void => {
  if (keys.length > 0) profile[name] = [...new Set(keys)].toSorted();
  else delete profile[name];
};

/** Updates the keys that find the person. A device is known by its own entry or by a push token on it. */
export const setListKeys = (profile: Listed): void => {
  const { devices, push_tokens } = profile.lists;
  setKeys(profile, 'device_keys', [...deviceIds(devices), ...deviceIds(push_tokens)]);
  const tokens = (push_tokens?.items ?? []).map(({ k }) => k);
  setKeys(profile, 'token_keys', tokens);
};

/** The lists and keys without the push tokens that are dead. Each names the stamp from which it stays: the device has sent it again since. */
export const withoutTokens = ({ lists }: Pick<Profile, 'lists'>, dead: ReadonlyMap<string, Stamp>) => {
  const { push_tokens } = lists;
  if (!push_tokens) return { lists };
  const items = push_tokens.items.filter(({ k, at }) => at >= (dead.get(k) ?? 0));
  const left: Listed = { lists: { ...lists, push_tokens: { ...push_tokens, items } } };
  setListKeys(left);
  return left;
};
