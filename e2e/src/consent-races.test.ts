/** Consent while people change their emails, are merged and deleted, applied in whatever order: what counts is the order of record. */
import type { AcceptedRequest } from '@roster/contract';
import { contactKeysOf, groupKey, identityKey, statesOf } from '@roster/profile';
import { familyOf, useApplying } from './applying.ts';

jest.setTimeout(60_000);

type State = 'subscribed' | 'unsubscribed';

const { store, next, newId, accept, profileOf, apply: applyOne } = useApplying();

/** One after the other, in this order. */
const apply = async (...requests: AcceptedRequest[]): Promise<void> => {
  for (const request of requests) await applyOne(request);
};

const track = (...attributes: object[]) => accept('users.track', { attributes });
const say = (state: State, names: object, group = 'news') =>
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

const emailOf = (email: string): string => identityKey('demo', { by: 'email', email });
const saidOf = async (key: string) => (await store.contactConsents.read([key])).get(key) ?? [];
const registerOf = (group: string): string => groupKey(group, group === 'texts' ? 'sms' : 'email');

const stateOf = async (id: string, group = 'news') => {
  const profile = await profileOf(id);
  const contacts = await store.contactConsents.read(contactKeysOf(profile));
  return statesOf(profile, contacts).find(({ k }) => k === registerOf(group))?.v;
};

/** Oldest first. */
const historyOf = async (id: string, group = 'news') =>
  ((await store.consentHistory.find('demo', { by: 'external_id', id })) ?? [])
    .toReversed()
    .filter(({ k }) => k === registerOf(group))
    .map(({ to, at, op }) => [to, at, op]);

describe('a statement by external id that is applied late', () => {
  it('is said of the email that the person had when it was accepted', async () => {
    const [p, s, r, e, f] = [newId(), newId(), newId(), anEmail(), anEmail()];
    await apply(
      track({ external_id: p, email: e }, { external_id: s, email: e }, { external_id: r, email: f }),
    );
    const said = say('unsubscribed', { external_ids: [p] });
    await apply(track({ external_id: p, email: f }), said);
    expect([await stateOf(p), await stateOf(s), await stateOf(r)]).toEqual([
      'unsubscribed',
      'unsubscribed',
      undefined,
    ]);
  });

  it('also when it is tracked, or when they were merged away since', async () => {
    const [p, q, s, e] = [newId(), newId(), newId(), anEmail()];
    await apply(
      track({ external_id: p, email: e }, { external_id: q, email: anEmail() }, { external_id: s, email: e }),
    );
    const groups = [{ subscription_group_id: 'news', subscription_state: 'unsubscribed' }];
    const said = track({ external_id: p, subscription_groups: groups });
    await apply(merge([p, q]), said);
    expect([await stateOf(q), await stateOf(s)]).toEqual([undefined, 'unsubscribed']);
  });

  it('is said of no email when they had none then', async () => {
    const [p, r, f] = [newId(), newId(), anEmail()];
    await apply(track({ external_id: p }, { external_id: r, email: f }));
    const said = say('unsubscribed', { external_ids: [p] });
    await apply(track({ external_id: p, email: f }), said);
    expect([await stateOf(p), await stateOf(r)]).toEqual(['unsubscribed', undefined]);
  });
});

describe('a statement about an email that is applied late', () => {
  it('by one who shares it reaches those who have left it since', async () => {
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
    const groups = [{ subscription_group_id: 'news', subscription_state: 'subscribed' }];
    await apply(first, track({ external_id: r, subscription_groups: groups }), leaving);
    expect([await stateOf(p), await stateOf(r)]).toEqual(['unsubscribed', 'subscribed']);
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

  it('holds for the next one who has it, and for those who had it when it was accepted', async () => {
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
    expect((await saidOf(emailOf(e))).map(({ v }) => v)).toEqual(['unsubscribed']);
    expect(await saidOf(emailOf(f))).toEqual([]);
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

describe('the history of a group of text messages', () => {
  it('has a row for each change of what counts for the person, by whatever road it was said', async () => {
    const [id, phone] = [newId(), `+150055${String(10_000 + next())}`];
    await apply(track({ external_id: id, phone }));
    const byId = (state: State) => say(state, { external_ids: [id] }, 'texts');
    const byPhone = (state: State) => say(state, { phones: [phone] }, 'texts');
    const all = [
      byId('subscribed'),
      byPhone('unsubscribed'),
      byId('subscribed'),
      byPhone('unsubscribed'),
      byId('subscribed'),
    ];
    await apply(...all);
    expect(await historyOf(id, 'texts')).toEqual(
      all.map(({ at, op }, n) => [n % 2 ? 'unsubscribed' : 'subscribed', at, op]),
    );
  });
});

interface One {
  id: string;
  email: string;
  phone: string;
  /** What was last said of themselves, or counted when they left a contact. */
  own: Map<string, State>;
  /** What counted, each time that it changed, with the stamp of the request. */
  changes: Map<string, [State, number][]>;
}

/** Consent belongs to the contact: what becomes of it when requests are applied one after the other. */
const createBook = () => {
  const people: One[] = [];
  const contacts = new Map<string, State>();
  const contactOf = ({ email, phone }: One, group: string): string => (group === 'news' ? email : phone);
  const stateIn = (one: One, group: string): State | undefined =>
    contacts.get(`${contactOf(one, group)} ${group}`) ?? one.own.get(group);
  const note = ({ at }: AcceptedRequest): void => {
    for (const one of people)
      for (const group of ['news', 'texts']) {
        const [state, changes] = [stateIn(one, group), one.changes.get(group) ?? []];
        if (state && changes.at(-1)?.[0] !== state) one.changes.set(group, [...changes, [state, at]]);
      }
  };
  return {
    people,
    stateIn,
    say(one: One, group: string, state: State, isOfContact: boolean, request: AcceptedRequest): void {
      if (!isOfContact) one.own.set(group, state);
      contacts.set(`${contactOf(one, group)} ${group}`, state);
      note(request);
    },
    move(one: One, email: string, request: AcceptedRequest): void {
      const state = stateIn(one, 'news');
      if (state) one.own.set('news', state);
      one.email = email;
      note(request);
    },
    /** Everybody has an email and a phone: the kept one keeps all. */
    merge: (one: One): One[] => people.splice(people.indexOf(one), 1),
  };
};

type Book = ReturnType<typeof createBook>;

const dice = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};
type Dice = ReturnType<typeof dice>;

const pick = <T>(roll: Dice, all: readonly T[]): T => all[roll(all.length)] as T;

/** A request, and what it does in the book. */
const turn = (roll: Dice, book: Book, emails: string[], mergesToo: boolean) => {
  const { people } = book;
  const one = pick(roll, people);
  const state = pick(roll, ['subscribed', 'unsubscribed'] as const);
  const group = pick(roll, ['news', 'texts'] as const);
  switch (roll(mergesToo ? 8 : 7)) {
    case 0: {
      const email = pick(roll, emails);
      const request = track({ external_id: one.id, email });
      book.move(one, email, request);
      return request;
    }
    case 1:
    case 2: {
      const groups = [{ subscription_group_id: group, subscription_state: state }];
      const request = track({ external_id: one.id, subscription_groups: groups });
      book.say(one, group, state, false, request);
      return request;
    }
    case 3:
    case 4: {
      const request = say(state, { external_ids: [one.id] }, group);
      book.say(one, group, state, false, request);
      return request;
    }
    case 5: {
      const request = say(state, { emails: [one.email] }, 'news');
      book.say(one, 'news', state, true, request);
      return request;
    }
    case 6: {
      const request = say(state, { phones: [one.phone] }, 'texts');
      book.say(one, 'texts', state, true, request);
      return request;
    }
    default: {
      const kept = people[(people.indexOf(one) + 1) % people.length];
      if (people.length < 3 || !kept || kept === one) return undefined;
      const request = merge([one.id, kept.id]);
      book.merge(one);
      return request;
    }
  }
};

/**
 * Subscriptions wait for tracks and identities that were accepted before, identities for tracks and for each other. Tracks wait for
 * nobody; here they do for identities, because whatever overtakes one of those counts as accepted before it.
 */
const mayGo = (request: AcceptedRequest, waiting: readonly AcceptedRequest[]): boolean => {
  const before = waiting.filter(({ at }) => at < request.at).map(familyOf);
  return !before.includes('identity') && (familyOf(request) === 'track' || !before.includes('track'));
};

const shuffled = (roll: Dice, all: readonly AcceptedRequest[]): AcceptedRequest[] => {
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

const conversation = async (
  seed: number,
  { inOrder, mergesToo }: { inOrder: boolean; mergesToo: boolean },
) => {
  const roll = dice(seed);
  const book = createBook();
  const emails = Array.from({ length: 3 }, anEmail);
  for (let n = 0; n < 5; n++)
    book.people.push({
      id: newId(),
      email: pick(roll, emails),
      phone: `+1500555${String(1000 + next())}`,
      own: new Map(),
      changes: new Map(),
    });
  await apply(track(...book.people.map(({ id, email, phone }) => ({ external_id: id, email, phone }))));
  const requests = Array.from({ length: 40 }, () => turn(roll, book, emails, mergesToo)).filter(
    (request) => request !== undefined,
  );
  await apply(...(inOrder ? requests : shuffled(roll, requests)));
  return book;
};

const seeds = Array.from({ length: Number(process.env.CONSENT_SEEDS ?? 12) }, (_, n) => n + 1);

describe('a contact', () => {
  it('of which nothing was said is not written', async () => {
    const [p, e] = [newId(), anEmail()];
    await apply(track({ external_id: p, email: e }), track({ external_id: p, email: e.toUpperCase() }));
    await apply(track({ external_id: p, email: anEmail() }));
    expect(await store.contacts.findOne({ _id: emailOf(e) })).toBeNull();
  });
});

describe('a conversation of people who share emails', () => {
  it.each(seeds)('has the whole history of each, in whatever order it is applied: seed %d', async (seed) => {
    const { people } = await conversation(seed, { inOrder: seed % 2 === 0, mergesToo: false });
    for (const { id, changes } of people)
      for (const group of ['news', 'texts'])
        expect([id, group, (await historyOf(id, group)).map(([to, at]) => [to, at])]).toEqual([
          id,
          group,
          changes.get(group) ?? [],
        ]);
  });

  it.each(seeds)(
    'ends with the state of the contact for each, in whatever order it is applied: seed %d',
    async (seed) => {
      const book = await conversation(seed, { inOrder: false, mergesToo: true });
      for (const one of book.people)
        for (const group of ['news', 'texts'])
          expect([one.id, group, await stateOf(one.id, group)]).toEqual([
            one.id,
            group,
            book.stateIn(one, group),
          ]);
    },
  );
});
