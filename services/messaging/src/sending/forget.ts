/** Removes tokens that a provider calls dead, unless the device has sent them again meanwhile. */
import { withoutTokens } from '@roster/profile';
import type { Store } from '@roster/store';
import type { Sent } from './send-one.ts';

const needed = {
  'lists.push_tokens': 1,
  'lists.devices': 1,
  device_keys: 1,
  token_keys: 1,
} as const;

const entriesWith = (keys: Record<string, string[] | undefined>, isThere: boolean) =>
  Object.fromEntries(Object.entries(keys).filter(([, value]) => (value !== undefined) === isThere));

/** What can't be removed now is found dead by the next push. */
export const createForget =
  ({ profiles, transact }: Pick<Store, 'profiles' | 'transact'>) =>
  async ({ row, gone = [] }: Sent): Promise<void> => {
    if (gone.length === 0) return;
    const [dead, until] = [new Set(gone), row.at.getTime() * 1000];
    await transact(async (session) => {
      const found = await profiles.findOne({ _id: row.profile }, { session, projection: needed });
      if (!found?.lists?.push_tokens) return;
      const { lists, device_keys, token_keys } = withoutTokens(found, dead, until);
      const keys = { device_keys, token_keys };
      const [left, none] = [entriesWith(keys, true), entriesWith(keys, false)];
      const $set = { 'lists.push_tokens': lists.push_tokens, ...left };
      const $unset = Object.fromEntries(Object.keys(none).map((name) => [name, 1 as const]));
      await profiles.updateOne({ _id: row.profile }, { $set, $unset }, { session });
    });
  };
