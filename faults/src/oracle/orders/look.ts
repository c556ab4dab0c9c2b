/** The people in memory, in the words of the model. */
import { type Identifier, identityKey, type Profile, statesOf } from '@roster/profile';
import { type PeopleInMemory, demoWorkspace as ws } from '@roster/testkit';
import type { Names } from '../calls.ts';
import { type Consents, keyOf, type Ref } from '../state.ts';
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

const consentsOf = ({ contacts }: PeopleInMemory, profile: Profile): Consents => {
  const states = Object.fromEntries(statesOf(profile, contacts).map(({ k, v }) => [k, v]));
  const registers = {
    email: states.email,
    push: states.push,
    news: states['group:demo-news'],
    texts: states['sms:demo-texts'],
  };
  return Object.fromEntries(Object.entries(registers).filter(([, state]) => state));
};

const shown = (
  stored: PeopleInMemory,
  { prefix }: Names,
  profile: Profile,
  keys: readonly string[],
): string => {
  const { _id, external_id, aliases = [], email_key, phone_key, custom } = profile;
  const bare = (text: string): string => text.slice(prefix.length + 1);
  const attribute = (name: string) => custom.find(({ k }) => k === name)?.v ?? undefined;
  const [colour, visits] = [attribute('colour'), attribute('visits')];
  return written({
    keys,
    ...(external_id !== undefined && { ext: bare(external_id) }),
    aliases: aliases.map(({ label, name }) => `${label}/${bare(name)}`),
    ...(email_key !== undefined && { email: bare(email_key).replace('@example.com', '') }),
    ...(phone_key !== undefined && { phone: 'f0' }),
    tokens: stored.rowsOf(_id).map(({ token }) => token.replace(`${prefix}-`, '')),
    ...(typeof colour === 'string' && { colour }),
    ...(typeof visits === 'number' && { visits }),
    consents: consentsOf(stored, profile),
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
