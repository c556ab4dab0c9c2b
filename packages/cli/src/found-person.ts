/** The person that a command is about: by external id or service id, alias, email or phone. */
import { normalizePhone } from '@roster/contract';
import { emailKey, type Identifier, identityKey, type Profile } from '@roster/profile';
import type { Store } from '@roster/store';
import type { Flags } from './command.ts';
import { missing, wrong } from './result.ts';
import { didYouMean } from './suggest.ts';

export interface PersonOptions {
  alias?: string;
  email?: string;
  phone?: string;
}

/** Other ways to name the person than by an id. */
export const personFlags: Flags = {
  '--alias <label:name>': 'the person with this alias',
  '--email <email>': 'the person with this email',
  '--phone <phone>': 'the person with this phone number',
};

const aliasIn = (text: string): Identifier => {
  const colon = text.indexOf(':');
  if (colon < 1) throw wrong(`--alias must be <label>:<name>, such as crm:17; it was ${text}`);
  return { by: 'user_alias', label: text.slice(0, colon), name: text.slice(colon + 1) };
};

const phoneIn = (text: string): string => {
  const phone = normalizePhone(text);
  if (phone === undefined)
    throw wrong(`--phone must be a phone number such as +4915112345678; it was ${text}`);
  return phone;
};

const most = 10;

const byClaim = async ({ identities, profiles }: Store, key: string): Promise<Profile[]> => {
  const claim = await identities.findOne({ _id: key });
  return claim ? profiles.find({ _id: claim.profile }).toArray() : [];
};

const byId = async (store: Store, ws: string, id: string): Promise<Profile[]> => {
  const found = await byClaim(store, identityKey(ws, { by: 'external_id', id }));
  if (found.length > 0) return found;
  const one =
    (await store.profiles.findOne({ _id: id, ws })) ?? (await store.profiles.findOne({ ws, absorbed: id }));
  return one ? [one] : [];
};

/** External ids that begin like this one, to be compared with it. */
const similarIds = async ({ identities }: Store, ws: string, id: string): Promise<string[]> => {
  const prefix = identityKey(ws, { by: 'external_id', id: '' });
  const from = `${prefix}${id.slice(0, 2)}`;
  const some = await identities
    .find({ _id: { $gte: from, $lt: `${from}\uffff` } }, { projection: { _id: 1 }, limit: 1000 })
    .toArray();
  return some.map(({ _id }) => _id.slice(prefix.length));
};

const hint = 'Look for the person with --email, --phone or --alias.';

/** By each way in which the person is named. */
const wantedOf = (
  store: Store,
  ws: string,
  id: string | undefined,
  { alias, email, phone }: PersonOptions,
) => {
  const { profiles } = store;
  const ways: [name: string, given: string | undefined, find: (given: string) => Promise<Profile[]>][] = [
    ['external id', id, (one) => byId(store, ws, one)],
    ['alias', alias, (one) => byClaim(store, identityKey(ws, aliasIn(one)))],
    ['email', email, (one) => profiles.find({ ws, email_key: emailKey(one) }, { limit: most }).toArray()],
    ['phone', phone, (one) => profiles.find({ ws, phone_key: phoneIn(one) }, { limit: most }).toArray()],
  ];
  return ways.flatMap(([name, given, find]) =>
    given === undefined ? [] : [{ what: `${name} ${given}`, find: () => find(given) }],
  );
};

/** Exactly one person, or an end that says what to do. */
export const findPerson = async (
  store: Store,
  ws: string,
  id: string | undefined,
  options: PersonOptions,
): Promise<Profile> => {
  const [wanted, ...more] = wantedOf(store, ws, id, options);
  if (!wanted || more.length > 0)
    throw wrong('name one person: by an external id, or with one of --alias, --email and --phone.');
  const [person, ...others] = await wanted.find();
  if (!person) {
    const help = id === undefined ? '' : ` ${didYouMean(id, await similarIds(store, ws, id), hint)}`;
    throw missing(`no person in workspace ${ws} has the ${wanted.what}.${help}`);
  }
  if (others.length === 0) return person;
  const ids = [person, ...others].map(({ _id, external_id }) => external_id ?? _id).join(', ');
  throw wrong(`several people have the ${wanted.what}: ${ids}. Name one of them by this id.`);
};
