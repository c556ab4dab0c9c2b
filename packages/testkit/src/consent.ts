/** All ways to say what people want, and what a plain sequential model makes of it. */
export type ConsentState = 'subscribed' | 'unsubscribed';

/** Of the demo workspace: the first by email, the second by text message. */
export const consentGroups = ['demo-news', 'demo-texts'] as const;
export type ConsentGroup = (typeof consentGroups)[number];

export interface ConsentPerson {
  id: string;
  email: string;
  phone: string;
}

/** One way to say something: of people, whatever they are named by, or of their emails or phones. */
interface Road {
  of: 'person' | 'email' | 'phone';
  groups: readonly ConsentGroup[];
  call(
    people: readonly ConsentPerson[],
    group: ConsentGroup,
    state: ConsentState,
  ): { path: string; body: unknown };
}

const tracked =
  (who: (person: ConsentPerson) => object): Road['call'] =>
  (people, group, state) => ({
    path: '/users/track',
    body: {
      attributes: people.map((person) => ({
        ...who(person),
        subscription_groups: [{ subscription_group_id: group, subscription_state: state }],
      })),
    },
  });

const first =
  (names: (people: readonly ConsentPerson[]) => object): Road['call'] =>
  (people, group, state) => ({
    path: '/subscription/status/set',
    body: { subscription_group_id: group, subscription_state: state, ...names(people) },
  });

const second =
  (names: (people: readonly ConsentPerson[]) => object): Road['call'] =>
  (people, group, state) => ({
    path: '/v2/subscription/status/set',
    body: {
      subscription_groups: [{ subscription_group_id: group, subscription_state: state, ...names(people) }],
    },
  });

const ids = (people: readonly ConsentPerson[]) => people.map(({ id }) => id);
const emails = (people: readonly ConsentPerson[]) => people.map(({ email }) => email);
const phones = (people: readonly ConsentPerson[]) => people.map(({ phone }) => phone);
const [news, texts] = consentGroups;

/** They get another email: one with an owner, with a former owner, or without any. */
export const movingEmails = (
  people: readonly ConsentPerson[],
  emailFor: (person: ConsentPerson) => string,
) => ({
  path: '/users/track',
  body: { attributes: people.map((person) => ({ external_id: person.id, email: emailFor(person) })) },
});

export const consentRoads: readonly Road[] = [
  { of: 'person', groups: consentGroups, call: tracked(({ id }) => ({ external_id: id })) },
  { of: 'email', groups: [news], call: tracked(({ email }) => ({ email })) },
  { of: 'person', groups: consentGroups, call: first((people) => ({ external_id: ids(people) })) },
  { of: 'email', groups: [news], call: first((people) => ({ email: emails(people) })) },
  { of: 'phone', groups: [texts], call: first((people) => ({ phone: phones(people) })) },
  { of: 'person', groups: consentGroups, call: second((people) => ({ external_ids: ids(people) })) },
  { of: 'email', groups: [news], call: second((people) => ({ emails: emails(people) })) },
  { of: 'phone', groups: [texts], call: second((people) => ({ phones: phones(people) })) },
];

interface Place {
  at: number;
  /** In its request. */
  n: number;
  request: string;
}

export type ConsentEvent = Place &
  (
    | { is: 'said of contact'; contact: string; group: ConsentGroup; state: ConsentState }
    | { is: 'said of person'; id: string; group: ConsentGroup; state: ConsentState }
    | { is: 'moved'; id: string; email: string }
    /** With a person who has an email and a phone: they keep all of theirs. */
    | { is: 'merged'; id: string }
  );

/** When and by which request the state of a person became another one. */
export interface ConsentChange extends Place {
  to: ConsentState;
}

interface Held {
  email: string;
  phone: string;
  /** What was last said of themselves, or counted when they left a contact. */
  own: Map<ConsentGroup, ConsentState>;
  changes: Map<ConsentGroup, ConsentChange[]>;
}

const placeOf = (contact: string, group: ConsentGroup): string => `${contact} ${group}`;

const contactOf = ({ email, phone }: Held, group: ConsentGroup): string => (group === news ? email : phone);

/** By contact, who has it. */
const createHolders = () => {
  const holders = new Map<string, Set<string>>();
  return (contact: string): Set<string> => {
    const some = holders.get(contact) ?? new Set<string>();
    holders.set(contact, some);
    return some;
  };
};

/** Consent belongs to the contact: groups of emails to the email, groups of text messages to the phone. */
export const createConsentModel = (people: readonly ConsentPerson[]) => {
  const contacts = new Map<string, ConsentState>();
  const all = new Map<string, Held>();
  const has = createHolders();
  const stateOf = (one: Held, group: ConsentGroup): ConsentState | undefined =>
    contacts.get(placeOf(contactOf(one, group), group)) ?? one.own.get(group);

  for (const { id, email, phone } of people) {
    all.set(id, { email, phone, own: new Map(), changes: new Map() });
    for (const contact of [email, phone]) has(contact).add(id);
  }

  const note = (ids: Iterable<string>, group: ConsentGroup, { at, n, request }: Place): void => {
    for (const id of ids) {
      const one = all.get(id);
      const to = one && stateOf(one, group);
      const changes = one?.changes.get(group) ?? [];
      if (!one || to === undefined || changes.at(-1)?.to === to) continue;
      one.changes.set(group, [...changes, { to, at, n, request }]);
    }
  };

  const sayOfContact = (contact: string, event: Extract<ConsentEvent, { state: ConsentState }>): void => {
    contacts.set(placeOf(contact, event.group), event.state);
    note(has(contact), event.group, event);
  };

  const play = (event: ConsentEvent): void => {
    if (event.is === 'said of contact') {
      sayOfContact(event.contact, event);
      return;
    }
    const one = all.get(event.id);
    if (!one) throw new Error(`nobody is ${event.id}`);
    if (event.is === 'said of person') {
      one.own.set(event.group, event.state);
      sayOfContact(contactOf(one, event.group), event);
      return;
    }
    has(one.email).delete(event.id);
    if (event.is === 'merged') {
      has(one.phone).delete(event.id);
      all.delete(event.id);
      return;
    }
    const state = stateOf(one, news);
    if (state) one.own.set(news, state);
    one.email = event.email;
    has(one.email).add(event.id);
    note([event.id], news, event);
  };

  return {
    playAll(events: readonly ConsentEvent[]): void {
      for (const event of events.toSorted((a, b) => a.at - b.at || a.n - b.n)) play(event);
    },
    stateOf: (id: string, group: ConsentGroup): ConsentState | undefined => {
      const one = all.get(id);
      return one && stateOf(one, group);
    },
    changesOf: (id: string, group: ConsentGroup): readonly ConsentChange[] =>
      all.get(id)?.changes.get(group) ?? [],
  };
};

export type ConsentModel = ReturnType<typeof createConsentModel>;
