// Who is spoken of, and all ways to say what they want.
export type State = 'subscribed' | 'unsubscribed';

/** Of the demo workspace: the first by email, the second by text message. */
export const groups = ['demo-news', 'demo-texts'] as const;
export type Group = (typeof groups)[number];

export interface Person {
  id: string;
  email: string;
  phone: string;
}

/** The first half share their emails, two by two. */
export const personOf = (n: number, count: number): Person => ({
  id: `person-${n}`,
  email: `${n < count / 2 ? `pair-${Math.floor(n / 2)}` : `single-${n}`}@example.com`,
  phone: `+1500${5_550_000 + n}`,
});

/** One way to say something: of people, whatever they are named by, or of their emails or phones. */
interface Road {
  of: 'person' | 'email' | 'phone';
  groups: readonly Group[];
  call(people: readonly Person[], group: Group, state: State): { path: string; body: unknown };
}

const tracked =
  (who: (person: Person) => object): Road['call'] =>
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
  (names: (people: readonly Person[]) => object): Road['call'] =>
  (people, group, state) => ({
    path: '/subscription/status/set',
    body: { subscription_group_id: group, subscription_state: state, ...names(people) },
  });

export const second =
  (names: (people: readonly Person[]) => object): Road['call'] =>
  (people, group, state) => ({
    path: '/v2/subscription/status/set',
    body: {
      subscription_groups: [{ subscription_group_id: group, subscription_state: state, ...names(people) }],
    },
  });

export const ids = (people: readonly Person[]) => people.map(({ id }) => id);
export const emails = (people: readonly Person[]) => people.map(({ email }) => email);
const phones = (people: readonly Person[]) => people.map(({ phone }) => phone);
export const [news] = groups;
const [, texts] = groups;

/** They get another email: one with an owner, with a former owner, or without any. */
export const moving = (people: readonly Person[], emailFor: (person: Person) => string) => ({
  path: '/users/track',
  body: { attributes: people.map((person) => ({ external_id: person.id, email: emailFor(person) })) },
});

export const roads: readonly Road[] = [
  { of: 'person', groups, call: tracked(({ id }) => ({ external_id: id })) },
  { of: 'email', groups: [news], call: tracked(({ email }) => ({ email })) },
  { of: 'person', groups, call: first((people) => ({ external_id: ids(people) })) },
  { of: 'email', groups: [news], call: first((people) => ({ email: emails(people) })) },
  { of: 'phone', groups: [texts], call: first((people) => ({ phone: phones(people) })) },
  { of: 'person', groups, call: second((people) => ({ external_ids: ids(people) })) },
  { of: 'email', groups: [news], call: second((people) => ({ emails: emails(people) })) },
  { of: 'phone', groups: [texts], call: second((people) => ({ phones: phones(people) })) },
];
