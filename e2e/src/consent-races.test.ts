/** Consent while people change their emails, are merged and deleted, applied in whatever order: what counts is the order of record. */
import { type AcceptedRequest, type OperationId, routeOf } from '@roster/contract';
import { groupKey, identityKey } from '@roster/profile';
import {
  type ConsentEvent,
  type ConsentPerson,
  consentGroups,
  consentRoads,
  createConsentModel,
  createDice,
  movingEmails,
} from '@roster/testkit';
import { familyOf, useApplying } from './applying.ts';

jest.setTimeout(60_000);

type State = 'subscribed' | 'unsubscribed';

const { store, next, newId, accept, apply: applyOne, ...reading } = useApplying();

/** One after the other, in this order. */
const apply = async (...requests: AcceptedRequest[]): Promise<void> => {
  for (const request of requests) await applyOne(request);
};

const track = (...attributes: object[]) => accept('users.track', { attributes });
const say = (state: State, names: object, group = 'demo-news') =>
  accept('subscription.status.set.v2', {
    subscription_groups: [{ subscription_group_id: group, subscription_state: state, ...names }],
  });
const merge = (...pairs: [string, string][]) =>
  accept('users.merge', {
    merge_updates: pairs.map(([away, kept]) => ({
      identifier_to_merge: { external_id: away },
      identifier_to_keep: { external_id: kept },
    })),
  });

const anEmail = (): string => `${next()}@example.com`;

const registerOf = (group: string): string => groupKey(group, group === 'demo-texts' ? 'sms' : 'email');

const stateOf = async (id: string, group = 'demo-news') => (await reading.consentsOf(id))[registerOf(group)];

describe('a statement that is applied late', () => {
  it('is said of no email when the person had none when it was accepted', async () => {
    const [p, r, f] = [newId(), newId(), anEmail()];
    await apply(track({ external_id: p }, { external_id: r, email: f }));
    const said = say('unsubscribed', { external_ids: [p] });
    await apply(track({ external_id: p, email: f }), said);
    expect([await stateOf(p), await stateOf(r)]).toEqual(['unsubscribed', undefined]);
  });

  it('reaches the person kept by a merge of people with the email, and not one with an email of their own', async () => {
    const [p1, p2, q1, q2, e] = [newId(), newId(), newId(), newId(), anEmail()];
    await apply(
      track(
        { external_id: p1, email: e },
        { external_id: p2, email: e },
        { external_id: q1 },
        { external_id: q2, email: anEmail() },
      ),
    );
    const said = say('unsubscribed', { emails: [e] });
    await apply(merge([p1, q1], [p2, q2]), said);
    expect([await stateOf(q1), await stateOf(q2)]).toEqual(['unsubscribed', undefined]);
  });

  it('by one who shares the email reaches those who have left it since', async () => {
    const [p, r, e] = [newId(), newId(), anEmail()];
    await apply(track({ external_id: p, email: e }, { external_id: r, email: e }));
    const said = say('unsubscribed', { external_ids: [r] });
    await apply(track({ external_id: p, email: anEmail() }), said);
    expect([await stateOf(p), await stateOf(r)]).toEqual(['unsubscribed', 'unsubscribed']);
  });

  it('goes with the person who leaves the email before the next statement, though that was applied first', async () => {
    const [p, r, e] = [newId(), newId(), anEmail()];
    await apply(track({ external_id: p, email: e }, { external_id: r, email: e }));
    const first = say('unsubscribed', { emails: [e] });
    const leaving = track({ external_id: p, email: anEmail() });
    const groups = [{ subscription_group_id: 'demo-news', subscription_state: 'subscribed' }];
    await apply(first, track({ external_id: r, subscription_groups: groups }), leaving);
    expect([await stateOf(p), await stateOf(r)]).toEqual(['unsubscribed', 'subscribed']);
  });

  it('holds for the next one who has the email, and for those who had it when it was accepted', async () => {
    const [p, next, e] = [newId(), newId(), anEmail()];
    await apply(track({ external_id: p, email: e }));
    const said = say('unsubscribed', { emails: [e] });
    await apply(track({ external_id: p, email: anEmail() }), said, track({ external_id: next, email: e }));
    expect([await stateOf(p), await stateOf(next)]).toEqual(['unsubscribed', 'unsubscribed']);
  });

  it('is kept for nobody when its last owner was deleted since, and stays when they had left it', async () => {
    const [p, q, e, f] = [newId(), newId(), anEmail(), anEmail()];
    await apply(track({ external_id: p, email: e }, { external_id: q, email: f }));
    const said = say('unsubscribed', { emails: [e, f] });
    await apply(track({ external_id: p, email: anEmail() }));
    await apply(accept('users.delete', { external_ids: [p, q] }), said);
    expect((await reading.saidOf(e)).map(({ v }) => v)).toEqual(['unsubscribed']);
    expect(await reading.saidOf(f)).toEqual([]);
  });
});

describe('a statement about an email, and a person who leaves it at the same time', () => {
  it.each([
    ['with another email', 'them', (p: string) => track({ external_id: p, email: anEmail() })],
    ['in a merge', 'the other', (p: string, q: string) => merge([p, q])],
  ])('never miss each other: %s', async (_, stays, leaving) => {
    for (let n = 0; n < 20; n++) {
      const [p, q, e] = [newId(), newId(), anEmail()];
      await apply(track({ external_id: p, email: e }, { external_id: q }));
      const said = say('unsubscribed', { emails: [e] });
      await Promise.all([apply(leaving(p, q)), apply(said)]);
      expect(await stateOf(stays === 'them' ? p : q)).toBe('unsubscribed');
    }
  });
});

/** The same dice for the same seed, whatever the seed of the run is. */
const rollOf = (seed: number) => {
  const roll = createDice(seed);
  return (below: number): number => Math.floor(roll() * below);
};
type Roll = ReturnType<typeof rollOf>;

const pick = <T>(roll: Roll, all: readonly T[]): T => all[roll(all.length)] as T;

/** What is tracked by an email might be about a new person. */
const roads = consentRoads.filter(
  ({ of, call }) => of === 'person' || call([], 'demo-news', 'subscribed').path !== '/users/track',
);

interface Turn {
  request: AcceptedRequest;
  event: ConsentEvent;
}

/** A request about one of the people, and what it says. Who is merged away is not spoken of any more. */
const turn = (roll: Roll, people: ConsentPerson[], emails: string[], mergesToo: boolean): Turn => {
  const one = pick(roll, people);
  const { id } = one;
  const placed = (request: AcceptedRequest) => ({ at: request.at, n: 0, request: request.id });
  const send = ({ path, body }: { path: string; body: unknown }): AcceptedRequest =>
    accept(routeOf('POST', path)?.operation.id as OperationId, body as object);
  const kind = roll(8);
  if (kind === 0) {
    one.email = pick(roll, emails);
    const request = send(movingEmails([one], ({ email }) => email));
    return { request, event: { is: 'moved', id, email: one.email, ...placed(request) } };
  }
  const kept = people[(people.indexOf(one) + 1) % people.length];
  if (kind === 1 && mergesToo && people.length > 2 && kept) {
    people.splice(people.indexOf(one), 1);
    const request = merge([id, kept.id]);
    return { request, event: { is: 'merged', id, ...placed(request) } };
  }
  const road = pick(roll, roads);
  const [group, state] = [pick(roll, road.groups), pick(roll, ['subscribed', 'unsubscribed'] as const)];
  const request = send(road.call([one], group, state));
  const said = { group, state, ...placed(request) };
  if (road.of === 'person') return { request, event: { is: 'said of person', id, ...said } };
  return { request, event: { is: 'said of contact', contact: one[road.of], ...said } };
};

/**
 * Subscriptions wait for tracks and identities that were accepted before, identities for tracks and for each other. Tracks wait for
 * nobody; here they do for identities, because whatever overtakes one of those counts as accepted before it.
 */
const mayGo = (request: AcceptedRequest, waiting: readonly AcceptedRequest[]): boolean => {
  const before = waiting.filter(({ at }) => at < request.at).map(familyOf);
  return !before.includes('identity') && (familyOf(request) === 'track' || !before.includes('track'));
};

const shuffled = (roll: Roll, all: readonly AcceptedRequest[]): AcceptedRequest[] => {
  const waiting = [...all];
  const order: AcceptedRequest[] = [];
  while (waiting.length > 0) {
    const next = pick(
      roll,
      waiting.slice(0, 8).filter((one) => mayGo(one, waiting)),
    );
    waiting.splice(waiting.indexOf(next), 1);
    order.push(next);
  }
  return order;
};

/** The people who are left, and what the model makes of it all. */
const conversation = async (
  seed: number,
  { inOrder, mergesToo }: { inOrder: boolean; mergesToo: boolean },
) => {
  const roll = rollOf(seed);
  const emails = Array.from({ length: 3 }, anEmail);
  const people = Array.from(
    { length: 5 },
    (): ConsentPerson => ({
      id: newId(),
      email: pick(roll, emails),
      phone: `+1500555${String(1000 + next())}`,
    }),
  );
  const model = createConsentModel(people);
  await apply(track(...people.map(({ id, email, phone }) => ({ external_id: id, email, phone }))));
  const turns = Array.from({ length: 40 }, () => turn(roll, people, emails, mergesToo));
  const requests = turns.map(({ request }) => request);
  await apply(...(inOrder ? requests : shuffled(roll, requests)));
  model.playAll(turns.map(({ event }) => event));
  return { people, model };
};

const seeds = Array.from({ length: Number(process.env.CONSENT_SEEDS ?? 12) }, (_, n) => n + 1);

it('a contact of which nothing was said is not written', async () => {
  const [p, email] = [newId(), anEmail()];
  await apply(track({ external_id: p, email }), track({ external_id: p, email: email.toUpperCase() }));
  await apply(track({ external_id: p, email: anEmail() }));
  expect(await store.contacts.findOne({ _id: identityKey('demo', { by: 'email', email }) })).toBeNull();
});

describe('a conversation of people who share emails', () => {
  it.each(seeds)('has the whole history of each, in whatever order it is applied: seed %d', async (seed) => {
    const { people, model } = await conversation(seed, { inOrder: seed % 2 === 0, mergesToo: false });
    for (const { id } of people) {
      const history = (await store.consentHistory.find('demo', { by: 'external_id', id })) ?? [];
      // Oldest first.
      for (const group of consentGroups)
        expect([id, history.toReversed().filter(({ k }) => k === registerOf(group))]).toMatchObject([
          id,
          model.changesOf(id, group).map(({ to, at }) => ({ to, at })),
        ]);
    }
  });

  it.each(seeds)(
    'ends with the state of the contact for each, in whatever order it is applied: seed %d',
    async (seed) => {
      const { people, model } = await conversation(seed, { inOrder: false, mergesToo: true });
      for (const { id } of people)
        for (const group of consentGroups)
          expect([id, group, await stateOf(id, group)]).toEqual([id, group, model.stateOf(id, group)]);
    },
  );
});
