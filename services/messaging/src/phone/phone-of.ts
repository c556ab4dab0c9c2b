/** The phone that a message was sent to: that of its person when its row changed last. */
import { contactValueAt } from '@roster/profile';
import type { Store } from '@roster/store';

export type PhoneOf = (ws: string, message: string | undefined) => Promise<string | undefined>;

const read = { projection: { ws: 1, 'fields.phone': 1, contacts: 1 } } as const;

export const createPhoneOf =
  ({ messages: { sends }, profiles }: Pick<Store, 'messages' | 'profiles'>): PhoneOf =>
  async (ws, message) => {
    if (message === undefined) return undefined;
    const row = await sends.findOne({ _id: message, ws }, { projection: { profile: 1, at: 1 } });
    if (!row) return undefined;
    const { profile: id } = row;
    const stamp = row.at.getTime() * 1000;
    const person = await profiles.findOne({ _id: id, ws }, read);
    if (person) return contactValueAt(person, 'phone', stamp);
    const kept = await profiles.findOne({ ws, absorbed: id }, read);
    return kept ? contactValueAt(kept, 'phone', stamp, id) : undefined;
  };
