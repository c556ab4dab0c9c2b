/** The people in memory, in the words of the model. */
import { type Identifier, identityKey, type Profile, statesOf } from '@roster/profile';
import { type PeopleInMemory, demoWorkspace as ws } from '@roster/testkit';
import type { Names } from '../calls.ts';
import { keyOf, type Ref } from '../state.ts';
import { written } from '../written.ts';
import { identifierOf } from './requests.ts';

const leadsTo = ({ claims }: PeopleInMemory, who: Identifier, profile: Profile): boolean => {
  switch (who.by) {
    case 'service_id':
      return [profile._id, ...(profile.absorbed ?? [])].includes(who.id);
    case 'email':
      return profile.email_key === who.email;
    case 'phone':
      return profile.phone_key === who.phone;
    default:
      return claims.get(identityKey(ws, who))?.profile === profile._id;
  }
};

const shown = (
  stored: PeopleInMemory,
  { prefix }: Names,
  profile: Profile,
  keys: readonly string[],
): string => {
  const { _id, external_id, aliases = [], email_key, phone_key, custom } = profile;
  const bare = (text: string): string => text.slice(prefix.length + 1);
  const attribute = (name: string) => custom.find(({ k }) => k === name)?.v;
  const states = Object.fromEntries(statesOf(profile, stored.contacts).map(({ k, v }) => [k, v]));
  return written({
    keys,
    ext: external_id && bare(external_id),
    aliases: aliases.map(({ label, name }) => `${label}/${bare(name)}`),
    email: email_key && bare(email_key).replace('@example.com', ''),
    phone: phone_key && 'f0',
    tokens: stored.rowsOf(_id).map(({ token }) => token.replace(`${prefix}-`, '')),
    colour: attribute('colour'),
    visits: attribute('visits'),
    consents: {
      email: states.email,
      push: states.push,
      news: states['group:demo-news'],
      texts: states['sms:demo-texts'],
    },
  });
};

export const lookAt = (stored: PeopleInMemory, names: Names, asked: readonly Ref[]): string =>
  [...stored.profiles.values()]
    .map((profile) => ({
      profile,
      keys: asked.filter((who) => leadsTo(stored, identifierOf(names, who), profile)).map(keyOf),
    }))
    .filter(({ keys }) => keys.length > 0)
    .map(({ profile, keys }) => shown(stored, names, profile, keys))
    .sort()
    .join('\n');
