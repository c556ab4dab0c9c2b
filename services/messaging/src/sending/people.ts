/** The people of a delivery, as they are now. */
import { type ConsentState, contactKeysOf, type Profile, statesOf } from '@roster/profile';
import { type Channel, consentMembers, documentIn, type Store } from '@roster/store';
import { kindOf } from './channel-kinds.ts';

export interface Recipient {
  profile: Profile;
  /** Of emails, pushes and groups: what was said last. */
  states: ReadonlyMap<string, ConsentState>;
  /** Of the profile. */
  bytes: number;
}

/** What messages can name, and what decides about them: `fields` as a whole, of which MongoDB takes no parts besides. Tokens only for pushes: there may be many. */
const { 'fields.email': _email, 'fields.phone': _phone, ...forConsent } = consentMembers;
const members = { ...forConsent, absorbed: 1, fields: 1, 'custom.k': 1, 'custom.v': 1 } as const;

const membersFor = (channel: Channel) =>
  kindOf[channel].needs === 'devices' ? { ...members, 'lists.push_tokens': 1 as const } : members;

const mostBytes = 8 * 1024 * 1024;

export const createReadPeople =
  ({ profiles, contactConsents }: Pick<Store, 'profiles' | 'contactConsents'>) =>
  async (ids: readonly string[], channel: Channel, needsStates: boolean) => {
    const cursor = profiles.find<Buffer>(
      { _id: { $in: [...ids] } },
      { projection: membersFor(channel), sort: { _id: 1 }, batchSize: ids.length + 1, raw: true },
    );
    const found: { profile: Profile; bytes: number }[] = [];
    let bytes = 0;
    for await (const packed of cursor) {
      found.push({ profile: documentIn<Profile>(packed), bytes: packed.length });
      bytes += packed.length;
      if (bytes >= mostBytes) break;
    }
    const keys = needsStates ? found.flatMap(({ profile }) => contactKeysOf(profile)) : [];
    const contacts = await contactConsents.read(keys);
    const people = new Map<string, Recipient>();
    for (const { profile, bytes: size } of found) {
      const said = statesOf(profile, contacts).flatMap(({ k, v }) => (v === null ? [] : [[k, v] as const]));
      people.set(profile._id, { profile, states: new Map(said), bytes: size });
    }
    /** Nobody after this service id was looked for: the bound of bytes was reached. */
    const upTo = bytes >= mostBytes ? found.at(-1)?.profile._id : undefined;
    return { people, upTo };
  };
