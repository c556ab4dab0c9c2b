/** Requests may overtake each other: the states are those of a plain sequential model. */
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
import type { ConsentState } from '../profile.ts';

type Step =
  | { do: 'say of contact'; email: Email; state: CastState }
  | { do: 'say of person'; who: PersonName; state: CastState; road: 'track' | 'subscribe' }
  | { do: 'push'; who: PersonName; state: CastState }
  | { do: 'move'; who: PersonName; email: Email | null }
  | { do: 'merge'; who: PersonName; into: PersonName; only: boolean }
  | { do: 'delete'; who: PersonName };
type Event = Step & { at: number };

/** The decision, word by word. */
class Model {
  readonly contacts = new Map<Email, CastState>();
  readonly people = new Map<
    PersonName,
    { email: Email | null; state: CastState | undefined; push: CastState | undefined }
  >();
  constructor() {
    for (const who of people) this.people.set(who, { email: null, state: undefined, push: undefined });
  }
  stateOf(who: PersonName): CastState | undefined {
    const person = this.people.get(who);
    const ofContact = person?.email ? this.contacts.get(person.email) : undefined;
    return ofContact ?? person?.state;
  }
  play(step: Step): void {
    if (step.do === 'say of contact') {
      this.contacts.set(step.email, step.state);
      return;
    }
    const person = this.people.get(step.who);
    if (!person) return;
    if (step.do === 'push') person.push = step.state;
    if (step.do === 'say of person') {
      person.state = step.state;
      if (person.email) this.contacts.set(person.email, step.state);
    }
    if (step.do === 'move') {
      person.state = this.stateOf(step.who);
      person.email = step.email;
    }
    if (step.do === 'delete') {
      this.people.delete(step.who);
      const isShared = [...this.people.values()].some(({ email }) => email === person.email);
      if (person.email && !isShared) this.contacts.delete(person.email);
    }
    if (step.do === 'merge') this.merge(step.who, step.into);
  }
  private merge(who: PersonName, into: PersonName): void {
    const [away, kept] = [this.people.get(who), this.people.get(into)];
    if (!away || !kept || who === into) return;
    kept.push ??= away.push;
    if (kept.email === null) {
      kept.state ??= this.stateOf(who);
      kept.email = away.email;
    }
    this.people.delete(who);
  }
}

/** Subscription requests know no aliases. */
const isSubscribed = (event: Step): boolean =>
  event.do === 'say of person' && event.road === 'subscribe' && event.who !== 'eva';

const apply = (world: CastWorld, event: Event): void => {
  const { at } = event;
  if (event.do === 'say of contact') sayOfContact(world, at, event);
  else if (event.do === 'say of person' && isSubscribed(event)) {
    const { who: name, state } = event;
    world.subscribe(at, { array: 'external_ids', name, group: 'news', state, channel: 'email' });
  } else if (event.do === 'say of person')
    world.track(at, { ...identifierOf(event.who), subscription_groups: say(event.state) });
  else if (event.do === 'push') world.track(at, { ...identifierOf(event.who), push_subscribe: event.state });
  else if (event.do === 'move') world.track(at, { ...identifierOf(event.who), email: event.email });
  else if (event.do === 'delete') world.identity(at, { do: 'delete', named: named(event.who) });
  else playMerge(world, at, event);
};

const isIdentity = (event: Event): boolean => event.do === 'merge' || event.do === 'delete';
const isTracked = (event: Event): boolean =>
  event.do === 'move' || event.do === 'push' || (event.do === 'say of person' && !isSubscribed(event));

/** A deleted person is not named again: the external id would create a new person. */
const sensible = (steps: readonly Step[]): Event[] => {
  const gone = new Set<PersonName>();
  const emailOf = new Map<PersonName, Email | null>();
  const kept: Step[] = [];
  for (const step of steps) {
    if ('who' in step && gone.has(step.who)) continue;
    // The new owner of an external id cannot be identified any more.
    if (step.do === 'merge' && (gone.has(step.into) || step.into === step.who || step.into === 'eva'))
      continue;
    if (step.do === 'move') {
      if ((emailOf.get(step.who) ?? null) === step.email) continue;
      emailOf.set(step.who, step.email);
    }
    if (step.do === 'merge' || step.do === 'delete') gone.add(step.who);
    if (step.do === 'merge' && (emailOf.get(step.into) ?? null) === null)
      emailOf.set(step.into, emailOf.get(step.who) ?? null);
    kept.push(step);
  }
  return kept.map((step, n) => ({ ...step, at: 100 + n * 10 }));
};

/** What the model has and the system has not (docs/adr/consent.md): a statement by the name of a person whose deletion overtakes it finds no person. */
const isLostBy = (deletion: Event, one: Event): boolean =>
  deletion.do === 'delete' && one.do === 'say of person' && one.who === deletion.who;

/** A removal of a field that overtakes a merge is undone by it, consent or not: a removed value counts as missing. */
const isUndoneBy = (removal: Event, one: Event): boolean =>
  removal.do === 'move' && removal.email === null && one.do === 'merge' && one.into === removal.who;

/** Identity waits for tracks that were accepted before, subscriptions for both. */
const mayCome = (event: Event, left: readonly Event[]): boolean => {
  const before = left.filter((one) => one.at < event.at);
  if (isTracked(event)) return !before.some((one) => isUndoneBy(event, one));
  return !before.some((one) => isTracked(one) || isIdentity(one) || isLostBy(event, one));
};

const state = fc.constantFrom<CastState>('subscribed', 'unsubscribed');
const person = fc.constantFrom(...people);
const email = fc.constantFrom(...emails);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('say of contact' as const), email, state }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('say of person' as const),
      who: person,
      state,
      road: fc.constantFrom('track' as const, 'subscribe' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('push' as const), who: person, state }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      who: person,
      email: fc.option(email, { freq: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      who: person,
      into: person,
      only: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), who: person }) },
);

const runs = Number(process.env.LAW_RUNS ?? 1000);

const start = (): CastWorld => {
  const world = createWorldInMemory();
  for (const [n, who] of people.entries())
    world.track(1 + n, { ...identifierOf(who), _update_existing_only: false, first_name: who });
  return world;
};

const expectAsModel = (world: CastWorld, model: Model): void => {
  const found = Object.fromEntries(
    [...model.people.keys()].map((who) => {
      const states = world.statesOf(named(who).who);
      return [who, [states['group:news'] ?? undefined, states.push ?? undefined]];
    }),
  );
  const wanted = Object.fromEntries(
    [...model.people].map(([who, { push }]) => [who, [model.stateOf(who), push]]),
  );
  const contactsFound = emails.map(
    (name): ConsentState | undefined => world.stateOfContact('email', name, 'group:news') ?? undefined,
  );
  expect({ found, contacts: contactsFound }).toEqual({
    found: wanted,
    contacts: emails.map((name) => model.contacts.get(name)),
  });
};

/** The store finds former owners of a contact by the newest stamp of their changes. */
const expectNewestStamps = ({ profiles }: CastWorld): void => {
  for (const { contacts, contacts_at } of profiles.values())
    expect(contacts_at).toBe(contacts && Math.max(...contacts.map(({ at }) => at)));
};

describe('consent with requests that overtake each other', () => {
  const steps = fc.array(step, { maxLength: 14 });
  const choices = fc.array(fc.nat(5), { minLength: 1, maxLength: 14 });

  it('is that of the sequential model when no request overtakes another', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const [world, model] = [start(), new Model()];
        for (const event of sensible(all)) {
          apply(world, event);
          model.play(event);
        }
        expectAsModel(world, model);
      }),
      { numRuns: runs },
    );
  });

  const inEveryOrder = (narrowed: (all: Step[]) => Step[]) =>
    fc.assert(
      fc.property(steps, choices, (all, order) => {
        const events = sensible(narrowed(all));
        const [world, model] = [start(), new Model()];
        for (const event of events) model.play(event);
        for (const event of inSomeOrder(events, order, mayCome)) apply(world, event);
        expectAsModel(world, model);
        expectNewestStamps(world);
      }),
      { numRuns: runs },
    );

  it('is the same in every order that queues and fences allow', () => {
    inEveryOrder((all) => all.filter((one) => one.do !== 'delete'));
  });

  it('is the same when people are deleted, as long as no person leaves a contact', () => {
    inEveryOrder((all) => {
      const settled = new Set<PersonName>();
      return all.filter((one) => {
        if (one.do !== 'move') return one.do !== 'merge';
        const isFirst = one.email !== null && !settled.has(one.who);
        settled.add(one.who);
        return isFirst;
      });
    });
  });
});
