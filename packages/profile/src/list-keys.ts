/** The identity keys of push tokens and devices in the lists of a profile. */
import type { List, Profile, Stamp } from './profile.ts';

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
  setKeys(
    profile,
    'token_keys',
    (push_tokens?.items ?? []).map(({ k }) => k),
  );
};

/** The lists and keys without tokens that no device has any more. Tokens that came again after this stamp stay. */
export const withoutTokens = (
  { lists }: Pick<Profile, 'lists'>,
  gone: ReadonlySet<string>,
  until: Stamp,
): Listed => {
  const { push_tokens } = lists;
  const items = (push_tokens?.items ?? []).filter(({ k, at }) => !gone.has(k) || at > until);
  const left: Listed = {
    lists: { ...lists, ...(push_tokens && { push_tokens: { ...push_tokens, items } }) },
  };
  setListKeys(left);
  return left;
};
