/** Removes push tokens that their provider calls dead. */
import { withoutTokens } from '@roster/profile';
import type { Store } from '@roster/store';
import { changeTo } from '../change-to.ts';
import type { Sent } from './send-one.ts';

const needed = { 'lists.push_tokens': 1, 'lists.devices': 1, device_keys: 1, token_keys: 1 } as const;

/** A token that came since the provider knew of its end, or else since the push began, is of a device that is there again. */
const stampsIn = ({ row, gone = [] }: Sent): Map<string, number> =>
  new Map(gone.map(({ token, since }) => [token, (since ?? row.at.getTime()) * 1000]));

/** What can't be removed now is found dead by the next push. */
export const createForget =
  ({ profiles, transact }: Pick<Store, 'profiles' | 'transact'>) =>
  (sent: Sent): Promise<void> =>
    transact(async (session) => {
      const _id = sent.row.profile;
      const found = await profiles.findOne({ _id }, { session, projection: needed });
      if (!found?.lists?.push_tokens) return;
      const { lists, device_keys, token_keys } = withoutTokens(found, stampsIn(sent));
      if (lists.push_tokens?.items.length === found.lists.push_tokens.items.length) return;
      const change = changeTo({ 'lists.push_tokens': lists.push_tokens, device_keys, token_keys });
      await profiles.updateOne({ _id }, change, { session });
    });
