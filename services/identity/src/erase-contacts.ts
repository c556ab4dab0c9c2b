/** Erases statements about the contacts of deleted people. */
import { type KeyKind, keyParts } from '@roster/profile';
import type { Store, SweepDocument } from '@roster/store';
import { lockKeysIn } from './erase.ts';

const holderFields: { readonly [By in KeyKind]?: string } = {
  email: 'email_key',
  phone: 'phone_key',
  push_token: 'token_keys',
};

/** Erases statements about the contacts of deleted people, and the locks that keep two people from getting one contact at once. */
export const createEraseContacts = ({ profiles, identities, contactConsents, transact }: Store) => {
  /** Whether another person has this email, phone or push token. */
  const isShared = async (ws: string, key: string): Promise<boolean> => {
    const parts = keyParts(key);
    const field = parts && holderFields[parts.by];
    if (field === undefined) return false;
    return (await profiles.findOne({ ws, [field]: parts?.value }, { projection: { _id: 1 } })) !== null;
  };

  return async ({ ws, keys, at, accepted = at, former = [] }: SweepDocument): Promise<void> => {
    // A transaction in flight may have written about a contact that has no owner now. Later statements stay.
    for (const key of lockKeysIn(keys)) {
      if (await isShared(ws, key)) continue;
      await identities.deleteMany({ _id: key, at: { $lte: at } });
      await transact((session) => contactConsents.eraseUpTo(session, ws, key, accepted));
    }
    // No document links a former contact to the person any more. Its statements wait for the next owner.
    for (const key of former)
      if (!(await isShared(ws, key))) await transact((session) => contactConsents.hide(session, ws, key));
  };
};
