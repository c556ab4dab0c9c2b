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

/** One way to say something, and whom it reaches of those who are named. */
interface Road {
  /** An email is shared; that somebody shares it tells nothing of their text messages, unless it is tracked. */
  reaches(group: Group): 'sharers' | 'themselves';
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
export const [news, texts] = groups;

const sharers = () => 'sharers' as const;
const byChannel = (group: Group) => (group === news ? 'sharers' : 'themselves');

export const roads: readonly Road[] = [
  { reaches: sharers, groups, call: tracked(({ id }) => ({ external_id: id })) },
  { reaches: sharers, groups: [news], call: tracked(({ email }) => ({ email })) },
  { reaches: byChannel, groups, call: first((people) => ({ external_id: ids(people) })) },
  { reaches: byChannel, groups: [news], call: first((people) => ({ email: emails(people) })) },
  { reaches: byChannel, groups: [texts], call: first((people) => ({ phone: phones(people) })) },
  { reaches: byChannel, groups, call: second((people) => ({ external_ids: ids(people) })) },
  { reaches: byChannel, groups: [news], call: second((people) => ({ emails: emails(people) })) },
  { reaches: byChannel, groups: [texts], call: second((people) => ({ phones: phones(people) })) },
];
