/** Requests may overtake each other: the states are those of a plain sequential model. A statement made while a merge waits counts as made before it or after it. */

import { createWorldInMemory } from '@roster/testkit';
import fc from 'fast-check';

const people = ['ann', 'ben', 'eva'] as const;
const emails = ['x@x.co', 'y@x.co', 'z@x.co'] as const;
type Name = (typeof people)[number];
type Email = (typeof emails)[number];
type State = 'subscribed' | 'unsubscribed';
type World = ReturnType<typeof createWorldInMemory>;

type Step =
  | { do: 'say of contact'; email: Email; state: State }
  | { do: 'say of person'; who: Name; state: State; road: 'track' | 'subscribe' }
  | { do: 'push'; who: Name; state: State }
  | { do: 'move'; who: Name; email: Email | null }
  /** `only`: an identify without a merge. */
  | { do: 'merge'; who: Name; into: Name; only: boolean }
  | { do: 'delete'; who: Name };
type Event = Step & { at: number };

interface Person {
  email: Email | null;
  state?: State;
  push?: State;
}

/** The states by the decision, word by word, one step after the other. */
interface Told {
  people: Map<Name, Person>;
  contacts: Map<Email, State>;
  /** The person that the alias of eva leads to. */
  eva: Name;
}

const stateOf = ({ contacts }: Told, { email, state }: Person): State | undefined =>
  (email === null ? undefined : contacts.get(email)) ?? state;

const merged = (told: Told, kept: Person, away: Person): Person => {
  const push = kept.push ?? away.push;
  const state = kept.email === null ? (kept.state ?? stateOf(told, away)) : kept.state;
  return { email: kept.email ?? away.email, ...(state && { state }), ...(push && { push }) };
};

const tell = (told: Told, step: Step): void => {
  const { people, contacts } = told;
  if (step.do === 'say of contact') {
    contacts.set(step.email, step.state);
    return;
  }
  const who = step.who === 'eva' ? told.eva : step.who;
  const person = people.get(who);
  if (!person) return;
  if (step.do === 'push') people.set(who, { ...person, push: step.state });
  if (step.do === 'say of person') {
    people.set(who, { ...person, state: step.state });
    if (person.email !== null) contacts.set(person.email, step.state);
  }
  if (step.do === 'move') {
    const state = stateOf(told, person);
    people.set(who, { ...person, email: step.email, ...(state && { state }) });
  }
  if (step.do === 'delete') {
    people.delete(who);
    const isShared = [...people.values()].some(({ email }) => email === person.email);
    if (person.email !== null && !isShared) contacts.delete(person.email);
  }
  const kept = step.do === 'merge' ? people.get(step.into) : undefined;
  if (step.do !== 'merge' || !kept || kept === person || who !== step.who) return;
  people.set(step.into, merged(told, kept, person));
  people.delete(who);
  if (who === told.eva) told.eva = step.into;
};

const toldOf = (steps: readonly Step[]): Told => {
  const told: Told = {
    people: new Map(people.map((who) => [who, { email: null }])),
    contacts: new Map(),
    eva: 'eva',
  };
  for (const step of steps) tell(told, step);
  return told;
};

/** Eva has an alias only, so an identify can give her to another person. */
const identifierOf = (who: Name) =>
  who === 'eva' ? { user_alias: { alias_label: 'web', alias_name: who } } : { external_id: who };

const named = (who: Name) => ({
  who:
    who === 'eva'
      ? { by: 'user_alias' as const, label: 'web', name: who }
      : { by: 'external_id' as const, id: who },
});

/** Subscription requests know no aliases. */
const isSubscribed = (event: Step): boolean =>
  event.do === 'say of contact' ||
  (event.do === 'say of person' && event.road === 'subscribe' && event.who !== 'eva');

const say = (world: World, event: Extract<Event, { state: State }>): void => {
  const { at, state } = event;
  const said = { group: 'news', state, channel: 'email' } as const;
  if (event.do === 'say of contact') world.subscribe(at, { array: 'emails', name: event.email, ...said });
  else if (isSubscribed(event)) world.subscribe(at, { array: 'external_ids', name: event.who, ...said });
  else {
    const groups = [{ subscription_group_id: 'news', subscription_state: state }];
    const statement = event.do === 'push' ? { push_subscribe: state } : { subscription_groups: groups };
    world.track(at, { ...identifierOf(event.who), _update_existing_only: true, ...statement });
  }
};

const apply = (world: World, event: Event): void => {
  if ('state' in event) {
    say(world, event);
    return;
  }
  const { at, who } = event;
  if (event.do === 'move')
    world.track(at, { ...identifierOf(who), _update_existing_only: true, email: event.email });
  else if (event.do === 'delete') world.identity(at, { do: 'delete', named: named(who) });
  else if (who === 'eva') {
    const { into, only } = event;
    world.identity(at, { do: 'identify', external_id: into, named: named(who), merges: !only });
  } else world.identity(at, { do: 'merge', away: named(who), kept: named(event.into) });
};

const start = (nowOf?: (at: number) => number): World => {
  const world = createWorldInMemory(nowOf);
  for (const [n, who] of people.entries())
    world.track(1 + n, { ...identifierOf(who), _update_existing_only: false, first_name: who });
  return world;
};

const contactsOf = (stateOfContact: (email: Email) => unknown) =>
  emails.map((email) => stateOfContact(email) ?? null);

const wanted = (told: Told) => ({
  people: [...told.people].map(([who, person]) => [
    who,
    stateOf(told, person) ?? null,
    person.push ?? null,
    person.email,
  ]),
  contacts: contactsOf((email) => told.contacts.get(email)),
});

const isThere = (world: World, who: Name): boolean =>
  [...world.profiles.values()].some(({ external_id }) => external_id === (who === 'eva' ? undefined : who));

const seen = (world: World) => ({
  people: people
    .filter((who) => isThere(world, who))
    .map((who) => {
      const identifier = named(who).who;
      const states = world.statesOf(identifier);
      return [who, states['group:news'] ?? null, states.push ?? null, world.emailOf(identifier) ?? null];
    }),
  contacts: contactsOf((email) => world.stateOfContact('email', email, 'group:news')),
});

type MayCome = (event: Event, left: readonly Event[]) => boolean;

/** Each event waits for certain others. The next one is drawn from those that may come, by the choices in turn. */
const inSomeOrder = (events: readonly Event[], choices: readonly number[], mayCome: MayCome): Event[] => {
  let left = events;
  const order: Event[] = [];
  for (let n = 0; left.length > 0; n++) {
    const able = left.filter((event) => mayCome(event, left));
    const next = able[(choices[n % choices.length] ?? 0) % able.length];
    if (!next) throw new Error('no event may come');
    order.push(next);
    left = left.filter((one) => one !== next);
  }
  return order;
};

const stamped = (steps: readonly Step[]): Event[] => steps.map((step, n) => ({ ...step, at: 100 + n * 10 }));

const runs = { numRuns: Number(process.env.LAW_RUNS ?? 1000) };

const state = fc.constantFrom<State>('subscribed', 'unsubscribed');
const person = fc.constantFrom(...people);
const email = fc.constantFrom(...emails);
const emailOrNone = fc.option(email, { freq: 5 });
const isDone = <Do extends Step['do']>(what: Do) => fc.constant(what);

const merge = fc.record({
  do: isDone('merge'),
  who: person,
  into: fc.constantFrom<Name>('ann', 'ben'),
  only: fc.boolean(),
});
const removal = fc.record({ do: isDone('delete'), who: person });

const saying = (...roads: readonly ('track' | 'subscribe')[]): fc.WeightedArbitrary<Step>[] => [
  { weight: 3, arbitrary: fc.record({ do: isDone('say of contact'), email, state }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: isDone('say of person'),
      who: person,
      state,
      road: fc.constantFrom(...roads),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: isDone('push'), who: person, state }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: isDone('move'), who: person, email: emailOrNone }),
  },
];

describe('consent with requests that overtake each other', () => {
  const all = fc.oneof(
    ...saying('track', 'subscribe'),
    { weight: 1, arbitrary: merge },
    { weight: 1, arbitrary: removal },
  );
  const steps = fc.array(all, { maxLength: 14 });
  const choices = fc.array(fc.nat(5), { minLength: 1, maxLength: 14 });

  /** A deleted person is not named again: the external id would create a new person. */
  const sensible = (steps: readonly Step[]): Event[] => {
    const gone = new Set<Name>();
    const emailOf = new Map<Name, Email | null>();
    const kept: Step[] = [];
    for (const step of steps) {
      if ('who' in step && gone.has(step.who)) continue;
      // The new owner of an external id cannot be identified any more.
      if (step.do === 'merge' && (gone.has(step.into) || step.into === step.who)) continue;
      if (step.do === 'move') {
        if ((emailOf.get(step.who) ?? null) === step.email) continue;
        emailOf.set(step.who, step.email);
      }
      if (step.do === 'merge' || step.do === 'delete') gone.add(step.who);
      if (step.do === 'merge' && (emailOf.get(step.into) ?? null) === null)
        emailOf.set(step.into, emailOf.get(step.who) ?? null);
      kept.push(step);
    }
    return stamped(kept);
  };

  /** What the model has and the system has not (docs/adr/consent.md): a statement by the name of a person whose deletion overtakes it finds no person. */
  const isLostBy = (deletion: Event, one: Event): boolean =>
    deletion.do === 'delete' && one.do === 'say of person' && one.who === deletion.who;

  /** A removal of a field that overtakes a merge is undone by it, consent or not: a removed value counts as missing. */
  const isUndoneBy = (removal: Event, one: Event): boolean =>
    removal.do === 'move' && removal.email === null && one.do === 'merge' && one.into === removal.who;

  const isIdentity = (event: Event): boolean => event.do === 'merge' || event.do === 'delete';
  const isTracked = (event: Event): boolean => !isIdentity(event) && !isSubscribed(event);

  /** Identity waits for tracks that were accepted before, subscriptions for both. */
  const mayCome: MayCome = (event, left) => {
    const before = left.filter((one) => one.at < event.at);
    if (isTracked(event)) return !before.some((one) => isUndoneBy(event, one));
    return !before.some((one) => isTracked(one) || isIdentity(one) || isLostBy(event, one));
  };

  /** The store finds former owners of a contact by the newest stamp of their changes. */
  const expectNewestStamps = ({ profiles }: World): void => {
    for (const { contacts, contacts_at } of profiles.values())
      expect(contacts_at).toBe(contacts && Math.max(...contacts.map(({ at }) => at)));
  };

  const hold = (orderOf: (all: Step[], choices: number[]) => Event[]): void =>
    fc.assert(
      fc.property(steps, choices, (all, choices) => {
        const [world, order] = [start(), orderOf(all, choices)];
        for (const event of order) apply(world, event);
        expect(seen(world)).toEqual(wanted(toldOf(order.toSorted((a, b) => a.at - b.at))));
        expectNewestStamps(world);
      }),
      runs,
    );

  it('is that of the sequential model when no request overtakes another', () => {
    hold(sensible);
  });

  it('is the same in every order that queues and fences allow', () => {
    hold((all, choices) => inSomeOrder(sensible(all.filter((one) => one.do !== 'delete')), choices, mayCome));
  });

  it('is the same when people are deleted, as long as no person leaves a contact', () => {
    hold((all, choices) => {
      const settled = new Set<Name>();
      const staying = all.filter((one) => {
        if (one.do !== 'move') return one.do !== 'merge';
        const isFirst = one.email !== null && !settled.has(one.who);
        settled.add(one.who);
        return isFirst;
      });
      return inSomeOrder(sensible(staying), choices, mayCome);
    });
  });
});

describe('consent, while a merge is under way', () => {
  const steps = fc.array(fc.oneof(...saying('track')), { maxLength: 4 });
  const choices = fc.array(fc.nat(5), { minLength: 1, maxLength: 10 });

  /** Identity waits for tracks that were accepted before, subscriptions for both. A statement of a person does not overtake their change of contact. */
  const mayCome: MayCome = (event, left) => {
    const before = left.filter((one) => one.at < event.at);
    if (event.do === 'merge' || event.do === 'say of contact') return before.length === 0;
    return !before.some((one) => one.do === 'move' && one.who === event.who);
  };

  /** Every order in which merges are applied some time after they were accepted, one after the other. */
  const ordersOf = (events: readonly Event[]): Event[][] => {
    const place = events.findLastIndex((event) => event.do === 'merge');
    const event = events[place];
    if (!event) return [[...events]];
    const rest = events.toSpliced(place, 1);
    const laterPlaces = Array.from({ length: rest.length - place + 1 }, (_, n) => place + n);
    return laterPlaces.flatMap((later) => {
      const between = rest.slice(place, later);
      const after = rest.slice(later);
      return ordersOf([...rest.slice(0, place), ...between]).map((order) => [...order, event, ...after]);
    });
  };

  /**
   * While a merge waits, statements about the other person count before it, statements about the kept one after it (docs/adr/consent.md). No single order has both
   * when the one comes between the merge and the other; nor when the kept person gets another contact meanwhile.
   */
  const isTorn = (all: readonly Step[], place: number): boolean => {
    const step = all[place];
    return all.some((one, first) => {
      if (one.do !== 'merge' || first >= place || !step || !('who' in step)) return false;
      const isAboutKept = step.who === one.into;
      if (step.do === 'move' && all.some((other, last) => other.do === 'merge' && last !== first))
        return true;
      const isFollowed = all.some((other, last) => last > place && 'who' in other && other.who === one.who);
      return isAboutKept && (step.do === 'move' || isFollowed);
    });
  };

  /** The people merged away before. */
  const isGone = (all: readonly Step[], place: number): boolean => {
    const [step, before] = [all[place], all.slice(0, place)];
    return (
      step?.do === 'merge' &&
      before.some((one) => one.do === 'merge' && [step.who, step.into].includes(one.who))
    );
  };

  const expectSomeOrder = (all: readonly Step[], choices: readonly number[]): void => {
    const events = stamped(all.filter((_, place) => !isTorn(all, place) && !isGone(all, place)));
    let later = 10_000;
    const world = start(() => later++);
    for (const event of inSomeOrder(events, choices, mayCome)) apply(world, event);
    expect(ordersOf(events).map((order) => wanted(toldOf(order)))).toContainEqual(seen(world));
  };

  it('is that of an order in which the merge comes somewhere between', () => {
    fc.assert(
      fc.property(steps, merge, steps, choices, (before, one, meanwhile, order) =>
        expectSomeOrder([...before, one, ...meanwhile], order),
      ),
      runs,
    );
  });

  it('is that of such an order when two are', () => {
    fc.assert(
      fc.property(steps, merge, steps, merge, steps, choices, (before, one, between, other, after, order) =>
        expectSomeOrder([...before, one, ...between, other, ...after], order),
      ),
      runs,
    );
  });
});
