/** A statement made while a merge or `identify` waits counts as made before it or after it. */
import fc from 'fast-check';
import {
  type CastState,
  type CastWorld,
  type Email,
  emails,
  identifierOf,
  named,
  type PersonName,
  people,
  playMerge,
  say,
  sayOfContact,
} from '../in-memory/consent-cast.ts';
import { createWorldInMemory } from '../in-memory/consent-world.ts';
import { inSomeOrder } from '../in-memory/some-order.ts';

type Step =
  | { do: 'say of contact'; email: Email; state: CastState }
  | { do: 'say of person'; who: PersonName; state: CastState }
  | { do: 'push'; who: PersonName; state: CastState }
  | { do: 'move'; who: PersonName; email: Email | null }
  | { do: 'merge'; who: PersonName; into: PersonName; only: boolean };
type Event = Step & { at: number };

interface Person {
  email: Email | null;
  state?: CastState;
  push?: CastState;
}

/** The states, one step after the other. */
interface Told {
  people: Map<PersonName, Person>;
  contacts: Map<Email, CastState>;
  /** The person that the alias of eva leads to. */
  eva: PersonName;
}

const stateOf = ({ contacts }: Told, { email, state }: Person): CastState | undefined =>
  (email === null ? undefined : contacts.get(email)) ?? state;

const merged = (told: Told, kept: Person, away: Person): Person => {
  const push = kept.push ?? away.push;
  const state = kept.email === null ? (kept.state ?? stateOf(told, away)) : kept.state;
  return { email: kept.email ?? away.email, ...(state && { state }), ...(push && { push }) };
};

const tell = (told: Told, step: Step): void => {
  if (step.do === 'say of contact') {
    told.contacts.set(step.email, step.state);
    return;
  }
  const who = step.who === 'eva' ? told.eva : step.who;
  const person = told.people.get(who);
  if (!person) return;
  if (step.do === 'push') told.people.set(who, { ...person, push: step.state });
  if (step.do === 'say of person') {
    told.people.set(who, { ...person, state: step.state });
    if (person.email !== null) told.contacts.set(person.email, step.state);
  }
  if (step.do === 'move') {
    const state = stateOf(told, person);
    told.people.set(who, { ...person, email: step.email, ...(state && { state }) });
  }
  const kept = step.do === 'merge' ? told.people.get(step.into) : undefined;
  if (step.do !== 'merge' || !kept || kept === person || who !== step.who) return;
  told.people.set(step.into, merged(told, kept, person));
  told.people.delete(who);
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

const apply = (world: CastWorld, event: Event): void => {
  const { at } = event;
  if (event.do === 'say of contact') {
    sayOfContact(world, at, event);
    return;
  }
  const who = { ...identifierOf(event.who), _update_existing_only: true };
  if (event.do === 'say of person') world.track(at, { ...who, subscription_groups: say(event.state) });
  else if (event.do === 'push') world.track(at, { ...who, push_subscribe: event.state });
  else if (event.do === 'move') world.track(at, { ...who, email: event.email });
  else playMerge(world, at, event);
};

/** Identity waits for tracks that were accepted before, subscriptions for both. A statement of a person does not overtake their change of contact. */
const mayCome = (event: Event, left: readonly Event[]): boolean => {
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

const contactsOf = (stateOfContact: (email: Email) => CastState | null | undefined) =>
  emails.map((email) => stateOfContact(email) ?? null);

const wantedOf = (told: Told) => ({
  people: [...told.people].map(([who, person]) => [
    who,
    stateOf(told, person) ?? null,
    person.push ?? null,
    person.email,
  ]),
  contacts: contactsOf((email) => told.contacts.get(email)),
});

const isThere = (world: CastWorld, who: PersonName): boolean =>
  [...world.profiles.values()].some(({ external_id }) => external_id === (who === 'eva' ? undefined : who));

const seen = (world: CastWorld) => ({
  people: people
    .filter((who) => isThere(world, who))
    .map((who) => {
      const identifier = named(who).who;
      const states = world.statesOf(identifier);
      return [who, states['group:news'] ?? null, states.push ?? null, world.emailOf(identifier) ?? null];
    }),
  contacts: contactsOf((email) => world.stateOfContact('email', email, 'group:news') as CastState),
});

const state = fc.constantFrom<CastState>('subscribed', 'unsubscribed');
const person = fc.constantFrom(...people);
const email = fc.constantFrom(...emails);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('say of contact' as const), email, state }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('say of person' as const), who: person, state }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('push' as const), who: person, state }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      who: person,
      email: fc.option(email, { freq: 5 }),
    }),
  },
);
const steps = fc.array(step, { maxLength: 4 });
const merge = fc.record({
  do: fc.constant('merge' as const),
  who: person,
  into: fc.constantFrom('ann' as const, 'ben' as const),
  only: fc.boolean(),
});

const runs = Number(process.env.LAW_RUNS ?? 1000);

const start = (): CastWorld => {
  let later = 10_000;
  const world = createWorldInMemory(() => later++);
  for (const [n, who] of people.entries())
    world.track(1 + n, { ...identifierOf(who), _update_existing_only: false, first_name: who });
  return world;
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
    if (step.do === 'move' && all.some((other, last) => other.do === 'merge' && last !== first)) return true;
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

const sensible = (all: readonly Step[]): Event[] =>
  all
    .filter((_, place) => !isTorn(all, place) && !isGone(all, place))
    .map((one, n) => ({ ...one, at: 100 + n * 10 }));

const expectSomeOrder = (steps: readonly Step[], choices: readonly number[]): void => {
  const events = sensible(steps);
  const [world, order] = [start(), inSomeOrder(events, choices, mayCome)];
  for (const event of order) apply(world, event);
  const wanted = ordersOf(events).map((all) => wantedOf(toldOf(all)));
  expect(wanted).toContainEqual(seen(world));
};

describe('consent, while a merge is under way', () => {
  const choices = fc.array(fc.nat(5), { minLength: 1, maxLength: 10 });

  it('is that of an order in which the merge comes somewhere between', () => {
    fc.assert(
      fc.property(steps, merge, steps, choices, (before, one, meanwhile, order) =>
        expectSomeOrder([...before, one, ...meanwhile], order),
      ),
      { numRuns: runs },
    );
  });

  it('is that of such an order when two are', () => {
    fc.assert(
      fc.property(steps, merge, steps, merge, steps, choices, (before, one, between, other, after, order) =>
        expectSomeOrder([...before, one, ...between, other, ...after], order),
      ),
      { numRuns: runs },
    );
  });
});
