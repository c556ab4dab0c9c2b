/**
 * Who is who and what counts, told once more from the sentences of the interface (api.md: Endpoints; decisions.md: Track, Identity,
 * Subscription) and sharing no code with the services: one operation after the other. What the services do at once must look like one
 * such order.
 */
import {
  alsoOfContacts,
  channelOf,
  forgetContactsOf,
  joinedConsents,
  moved,
  sayOfContact,
} from './consents.ts';
import {
  type AliasRef,
  allBy,
  blank,
  type Consent,
  type Consents,
  type Contact,
  find,
  isAlias,
  type Person,
  type Ref,
  type Register,
  replace,
  type State,
  without,
} from './state.ts';

export type Preference = 'identified' | 'unidentified' | 'most_recently_updated';

/** By email or phone, with what decides between several people. */
export type Named = { who: Ref; prefer?: readonly Preference[] };

/** What a track request has, in the order in which it counts. */
const lists = {
  all: ['attributes', 'event', 'purchase'],
  both: ['attributes', 'event'],
  attributes: ['attributes'],
  event: ['event'],
  purchase: ['purchase'],
} as const;

type Parts = keyof typeof lists;

export const hasPart = (parts: Parts, part: 'attributes' | 'event' | 'purchase'): boolean =>
  lists[parts].some((one) => one === part);

export type Operation =
  /** One request with some of an attribute object, an event and a purchase: `token` names event and product and is the colour; `visits` goes up by one. */
  | {
      do: 'track';
      who: Ref;
      token: string;
      parts: Parts;
      /** `_update_existing_only`: false, true, or not said. */
      may: 'create' | 'update' | 'usual';
      /** Not with an email or phone as the identifier. */
      email?: string | null;
      phone?: string | null;
      says?: Consents;
    }
  | { do: 'subscribe'; who: { ext: string } | Contact; register: 'news' | 'texts'; state: Consent }
  | { do: 'alias-new'; ext?: string; alias: AliasRef }
  | { do: 'alias-update'; label: string; from: string; to: string }
  | { do: 'identify'; ext: string; visitor: Named; merge: boolean }
  | { do: 'merge'; from: Named; into: Named }
  | { do: 'delete'; named: Named }
  | { do: 'rename'; from: string; to: string }
  | { do: 'remove-id'; ext: string };

/** How the purchase of a product stands among the tokens of a person. */
export const bought = (product: string): string => `bought ${product}`;

type Kind<Do extends Operation['do']> = Extract<Operation, { do: Do }>;

type Rule<Do extends Operation['do']> = (state: State, operation: Kind<Do>) => State;

const named = (who: Ref): Person => {
  if ('ext' in who) return { ...blank, ext: who.ext };
  if ('alias' in who) return { ...blank, aliases: [who.alias] };
  return { ...blank, ...who };
};

/** Of several the one with an external id, of these the last changed one (/users/track rule 3). */
const foremost = (all: readonly Person[]): Person | undefined => {
  const identified = all.filter(({ ext }) => ext !== undefined);
  return (identified.length > 0 ? identified : all).at(-1);
};

const mayCreate = ({ who, may }: Kind<'track'>, isAttributes: boolean): boolean => {
  if ('svc' in who) return false;
  if ('alias' in who) return may === 'create' && isAttributes;
  return may !== 'update';
};

/** By an email about emails, by a phone about text messages: of the contact alone. */
const isOfContact = (who: Ref, register: Register): boolean => {
  const channel = channelOf[register];
  return channel !== undefined && channel in who;
};

const contactOf = (who: Ref): string | undefined => {
  if ('email' in who) return who.email;
  return 'phone' in who ? who.phone : undefined;
};

const saidOf = (who: Ref, says: Consents, ofContact: boolean): Consents =>
  Object.fromEntries(
    Object.entries(says).filter(([register]) => isOfContact(who, register as Register) === ofContact),
  );

const say = (state: State, person: Person, who: Ref, says: Consents): State => {
  const [theirs, ofContact] = [saidOf(who, says, false), saidOf(who, says, true)];
  const contact = contactOf(who);
  let next = state;
  if (contact !== undefined && Object.keys(ofContact).length > 0)
    next = sayOfContact(next, contact, ofContact);
  if (Object.keys(theirs).length === 0) return next;
  next = replace(next, person, { ...person, said: { ...person.said, ...theirs } });
  return alsoOfContacts(next, person, theirs);
};

const withAttributes = (state: State, old: Person | undefined, operation: Kind<'track'>): State => {
  const { who, token, email, phone, says } = operation;
  let person = old ?? named(who);
  person = { ...person, colour: token, visits: (person.visits ?? 0) + 1 };
  if (email !== undefined) person = moved(state, person, 'email', email);
  if (phone !== undefined) person = moved(state, person, 'phone', phone);
  const next = replace(state, old, person);
  return says ? say(next, person, who, says) : next;
};

const withToken = (state: State, old: Person | undefined, who: Ref, token: string): State => {
  const person = old ?? named(who);
  return replace(state, old, { ...person, tokens: [...person.tokens, token].sort() });
};

/** First the attributes, then the event, then the purchase, about the same person. */
const track: Rule<'track'> = (state, operation) => {
  const { who, token, parts } = operation;
  let next = state;
  let person = foremost(allBy(state, who));
  for (const part of lists[parts]) {
    if (!person && !mayCreate(operation, part === 'attributes')) continue;
    if (part === 'attributes') next = withAttributes(next, person, operation);
    else next = withToken(next, person, who, part === 'event' ? token : bought(token));
    person = next.people.at(-1);
  }
  return next;
};

const subscribe: Rule<'subscribe'> = (state, { who, register, state: consent }) => {
  const says: Consents = { [register]: consent };
  const contact = contactOf(who);
  if (contact !== undefined) return sayOfContact(state, contact, says);
  const person = find(state, who);
  return person ? say(state, person, who, says) : state;
};

const hasLabel = (person: Person, label: string): boolean =>
  person.aliases.some((alias) => alias.label === label);

/** A name in use stays with its owner; a label in use keeps its name. */
const aliasNew: Rule<'alias-new'> = (state, { ext, alias }) => {
  if (find(state, { alias })) return state;
  if (ext === undefined) return replace(state, undefined, named({ alias }));
  const person = find(state, { ext });
  if (!person || hasLabel(person, alias.label)) return state;
  return replace(state, person, { ...person, aliases: [...person.aliases, alias] });
};

const aliasUpdate: Rule<'alias-update'> = (state, { label, from, to }) => {
  const old: AliasRef = { label, name: from };
  const person = find(state, { alias: old });
  if (!person || find(state, { alias: { label, name: to } })) return state;
  const aliases = person.aliases.map((alias) => (isAlias(alias, old) ? { label, name: to } : alias));
  return replace(state, person, { ...person, aliases });
};

const preferring: Record<Preference, (all: readonly Person[]) => readonly (Person | undefined)[]> = {
  identified: (all) => all.filter(({ ext }) => ext !== undefined),
  unidentified: (all) => all.filter(({ ext }) => ext === undefined),
  most_recently_updated: (all) => [all.at(-1)],
};

/** None when several are left. */
const chosen = (state: State, { who, prefer = [] }: Named): Person | undefined => {
  let left: readonly Person[] = allBy(state, who);
  for (const preference of prefer) {
    const preferred = preferring[preference](left).filter((one) => one !== undefined);
    if (preferred.length > 0) left = preferred;
  }
  return left.length === 1 ? left[0] : undefined;
};

const joinedAliases = (kept: Person, gone: Person): AliasRef[] => [
  ...kept.aliases,
  ...gone.aliases.filter(({ label }) => !hasLabel(kept, label)),
];

const serviceIdsOf = ({ svc, absorbed }: Person): string[] => [
  ...(svc === undefined ? [] : [svc]),
  ...absorbed,
];

/** The kept person's values stay; missing ones come over; activity is joined. Deprecated ids of the other person lead to no person from then on. */
const merged = (state: State, kept: Person, gone: Person): Person => ({
  ...kept,
  ...joinedConsents(state, kept, gone),
  aliases: joinedAliases(kept, gone),
  absorbed: [...kept.absorbed, ...serviceIdsOf(gone)],
  tokens: [...kept.tokens, ...gone.tokens].sort(),
  ext: kept.ext ?? gone.ext,
  colour: kept.colour ?? gone.colour,
  visits: kept.visits ?? gone.visits,
});

const merge: Rule<'merge'> = (state, { from, into }) => {
  const [gone, kept] = [chosen(state, from), chosen(state, into)];
  if (!gone || !kept || gone === kept) return state;
  return without(replace(state, kept, merged(state, kept, gone)), gone);
};

/** Only a person without an external id can be identified; with `none` aliases, contacts and consent come over. */
const identify: Rule<'identify'> = (state, { ext, visitor: about, merge: all }) => {
  const visitor = chosen(state, about);
  if (!visitor || visitor.ext !== undefined) return state;
  const person = find(state, { ext });
  if (!person) return replace(state, visitor, { ...visitor, ext });
  if ('alias' in about.who && hasLabel(person, about.who.alias.label)) return state;
  const next = all
    ? merged(state, person, visitor)
    : { ...person, ...joinedConsents(state, person, visitor), aliases: joinedAliases(person, visitor) };
  return without(replace(state, person, next), visitor);
};

/** The current id must be the person's own, the new one must be free. */
const rename: Rule<'rename'> = (state, { from, to }) => {
  const person = state.people.find(({ ext }) => ext === from);
  if (!person || find(state, { ext: to })) return state;
  return replace(state, person, { ...person, ext: to, former: [...person.former, from] });
};

/** Only an id from before a rename. */
const removeId: Rule<'remove-id'> = (state, { ext }) => {
  const person = state.people.find(({ former }) => former.includes(ext));
  if (!person) return state;
  return replace(state, person, { ...person, former: person.former.filter((id) => id !== ext) });
};

/** A service id that was merged away deletes no person. */
const remove: Rule<'delete'> = (state, { named: about }) => {
  const { who } = about;
  const person = 'svc' in who ? state.people.find(({ svc }) => svc === who.svc) : chosen(state, about);
  return person ? without(forgetContactsOf(state, person), person) : state;
};

const rules: { [Do in Operation['do']]: Rule<Do> } = {
  track,
  subscribe,
  'alias-new': aliasNew,
  'alias-update': aliasUpdate,
  identify,
  merge,
  delete: remove,
  rename,
  'remove-id': removeId,
};

export const apply = (state: State, operation: Operation): State => {
  const rule = rules[operation.do] as Rule<Operation['do']>;
  return rule(state, operation as never);
};
