/** The people in memory, as an export would show them. */
import { exportedFields, type OccurrenceSummary, type Profile, statesOf } from '@roster/profile';
import type { PeopleInMemory } from '@roster/testkit';
import { type Names, ref } from '../calls.ts';
import { type Exported, fields, shown } from '../look.ts';
import { bought } from '../model.ts';
import { keyOf, type Ref } from '../state.ts';
import { written } from '../written.ts';
import { identityKeyOf } from './requests.ts';

const leadsTo = ({ claims }: PeopleInMemory, names: Names, who: Ref, profile: Profile): boolean => {
  const { service_id, email, phone } = ref(names, who);
  if ('svc' in who) return service_id === profile._id || !!profile.absorbed?.includes(service_id ?? '');
  if ('email' in who) return profile.email_key === email;
  if ('phone' in who) return profile.phone_key === phone;
  return claims.get(identityKeyOf(names, who))?.profile === profile._id;
};

const once = (names: readonly string[]): OccurrenceSummary[] =>
  names.map((name) => ({ name, count: 1, first: '', last: '' }));

const exported = ({ contacts, rowsOf }: PeopleInMemory, profile: Profile): Exported => {
  const tokens = rowsOf(profile._id).map(({ token }) => token);
  const isBought = (token: string): boolean => token.startsWith(bought(''));
  const seen = {
    profile,
    consents: statesOf(profile, contacts),
    events: once(tokens.filter((token) => !isBought(token))),
    purchases: once(tokens.filter(isBought).map((token) => token.slice(bought('').length))),
  };
  return Object.fromEntries(fields.map((name) => [name, exportedFields[name].shows(seen)])) as Exported;
};

export const lookAt = (stored: PeopleInMemory, names: Names, asked: readonly Ref[]): string =>
  [...stored.profiles.values()]
    .map((profile) => ({
      profile,
      keys: asked.filter((who) => leadsTo(stored, names, who, profile)).map(keyOf),
    }))
    .filter(({ keys }) => keys.length > 0)
    .map(({ profile, keys }) => written(shown(names, exported(stored, profile), keys)))
    .sort()
    .join('\n');
