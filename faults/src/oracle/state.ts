/** All people, and the statements about contacts: the state of the model. Never changed in place. */

export interface AliasRef {
  label: string;
  name: string;
}

/** By what an operation names a person. A service id is named after the person who had it in the beginning. */
export type Ref = { ext: string } | { alias: AliasRef } | { svc: string } | Contact;

export type Contact = { email: string } | { phone: string };

/** A name that one person has. */
export type Claim = Extract<Ref, { ext: string } | { alias: AliasRef }>;

export const isClaim = (who: Ref): who is Claim => 'ext' in who || 'alias' in who;

export type Channel = 'email' | 'phone';

/** `email_subscribe`, `push_subscribe`, a group of emails, a group of text messages. */
export type Register = 'email' | 'push' | 'news' | 'texts';

export type Consent = 'opted_in' | 'subscribed' | 'unsubscribed';

export type Consents = Readonly<Partial<Record<Register, Consent>>>;

export interface Person {
  ext?: string | undefined;
  /** External ids before a rename; they go on leading here. */
  former: readonly string[];
  aliases: readonly AliasRef[];
  email?: string | undefined;
  phone?: string | undefined;
  svc?: string;
  /** Service ids of those who were merged into this person. */
  absorbed: readonly string[];
  /** Names of events and of purchases, each once, sorted: in which order they happened makes no other state. */
  tokens: readonly string[];
  colour?: string | undefined;
  visits?: number | undefined;
  /** What was said of the person; what was said of a contact counts more. */
  said: Consents;
}

export interface State {
  /** Who was changed last comes last. */
  people: readonly Person[];
  /** By contact. */
  said: Readonly<Record<string, Consents>>;
}

export const empty: State = { people: [], said: {} };

export const blank: Person = { former: [], aliases: [], absorbed: [], tokens: [], said: {} };

export const isAlias = (a: AliasRef, b: AliasRef): boolean => a.label === b.label && a.name === b.name;

export const answersTo = (person: Person, who: Ref): boolean => {
  if ('ext' in who) return person.ext === who.ext || person.former.includes(who.ext);
  if ('alias' in who) return person.aliases.some((alias) => isAlias(alias, who.alias));
  if ('svc' in who) return person.svc === who.svc || person.absorbed.includes(who.svc);
  return 'email' in who ? person.email === who.email : person.phone === who.phone;
};

/** All who answer to it, the last changed one last. Only emails and phones are shared. */
export const allBy = ({ people }: State, who: Ref): Person[] =>
  people.filter((person) => answersTo(person, who));

export const find = (state: State, who: Ref): Person | undefined => allBy(state, who)[0];

/** Changed, and so the last changed one. */
export const replace = (state: State, old: Person | undefined, next: Person): State => ({
  ...state,
  people: [...state.people.filter((person) => person !== old), next],
});

export const without = (state: State, gone: Person): State => ({
  ...state,
  people: state.people.filter((person) => person !== gone),
});

export const keyOf = (who: Ref): string => {
  if ('ext' in who) return who.ext;
  if ('alias' in who) return `${who.alias.label}/${who.alias.name}`;
  if ('svc' in who) return `id of ${who.svc}`;
  return 'email' in who ? who.email : who.phone;
};
