import { groupKey } from '../consent.ts';
import { nothingKnown } from '../plan/known.ts';
import { newProfile, type Profile } from '../profile.ts';
import {
  planSubscriptions,
  type Statement,
  type SubscriptionKnown,
  type SubscriptionRequest,
} from './plan.ts';

const ada: Profile = {
  ...newProfile('p-ada', 'demo', 5),
  external_id: 'ada',
  email_key: 'a@b.co',
  fields: { email: { v: 'a@b.co', at: 5 } },
};

const known = (more: Partial<SubscriptionKnown> = {}): SubscriptionKnown => ({
  ...nothingKnown,
  claims: new Map([['demo:e:ada', { profile: 'p-ada', at: 5 }]]),
  profiles: new Map([['p-ada', ada]]),
  addresses: new Map([
    ['demo:m:a@b.co', []],
    ['demo:m:x@b.co', []],
  ]),
  fates: new Map([
    ['demo:e:bob', []],
    ['demo:m:a@b.co', []],
    ['demo:m:x@b.co', []],
  ]),
  hadSince: new Map([['demo:m:a@b.co', 5]]),
  owners: new Map(),
  leftBy: new Map([
    ['demo:m:a@b.co', []],
    ['demo:m:x@b.co', []],
  ]),
  ...more,
});

/** Of x@b.co. */
const leaving = (profile: string, since: number, until: number) =>
  new Map([['demo:m:x@b.co', [{ profile, address: 'demo:m:x@b.co', since, until }]]]);

const statement = (name: string, state: Statement['state'] = 'subscribed', group = 'news'): Statement => ({
  array: name.includes('@') ? 'emails' : 'external_ids',
  name,
  group,
  state,
  channel: group === 'news' ? 'email' : 'sms',
});

const request = (at: number, ...statements: Statement[]): SubscriptionRequest => ({
  id: `r${at}`,
  ws: 'demo',
  at,
  statements,
});

const planned = (requests: SubscriptionRequest[], about = known()) => {
  const made = planSubscriptions({ requests, known: about });
  if (!made.ready)
    throw new Error(`needs ${JSON.stringify(Object.values(made.needs).map((set) => [...set]))}`);
  return made;
};

const k = groupKey('news');

describe('a subscription request', () => {
  it('by external id sets the register of the person, and that of their email', () => {
    const { changed, addresses, consents, outcomes } = planned([request(10, statement('ada'))]);
    expect(changed.map(({ after }) => after.consents)).toEqual([[{ k, v: 'subscribed', at: 10 }]]);
    expect(addresses).toEqual([
      { key: 'demo:m:a@b.co', ws: 'demo', consents: [{ k, v: 'subscribed', at: 10 }] },
    ]);
    expect(consents).toMatchObject([{ request: 'r10', profile: 'p-ada', address: 'demo:m:a@b.co', k }]);
    expect(outcomes.map(({ entries }) => entries)).toEqual([{ external_ids: ['updated'] }]);
  });

  it("of text messages by external id is the person's own: their phone and their email are not meant", () => {
    const { changed, addresses } = planned([request(10, statement('ada', 'subscribed', 'alerts'))]);
    expect(changed[0]?.after.consents).toEqual([{ k: groupKey('alerts'), v: 'subscribed', at: 10 }]);
    expect(addresses).toEqual([]);
  });

  it('by an external id that nobody has is ignored', () => {
    const { changed, addresses, outcomes } = planned([request(10, statement('bob'))]);
    expect([changed, addresses]).toEqual([[], []]);
    expect(outcomes[0]?.entries).toEqual({ external_ids: ['ignored:no_such_user'] });
  });

  it('by email is said of the email only', () => {
    const { changed, addresses } = planned([request(10, statement('A@b.co'))]);
    expect(changed).toEqual([]);
    expect(addresses[0]?.consents).toEqual([{ k, v: 'subscribed', at: 10 }]);
  });

  it.each([
    [4, true],
    [5, undefined],
  ])('by an email stamped %d, which somebody has since 5, is an orphan: %p', (at, orphan) => {
    const { addresses } = planned([request(at, statement('a@b.co'))]);
    expect(addresses[0]?.consents[0]?.orphan).toBe(orphan);
  });

  it('leaves nothing of a person who was deleted since it was accepted', () => {
    const gone = known({ fates: new Map([['demo:m:x@b.co', [{ at: 20 }]]]) });
    const { addresses, outcomes } = planned([request(10, statement('x@b.co'))], gone);
    expect(addresses).toEqual([]);
    expect(outcomes[0]?.entries).toEqual({ emails: ['ignored:deleted'] });
    expect(planned([request(21, statement('x@b.co'))], gone).addresses).toHaveLength(1);
  });

  it('also reaches whoever had the email when it was accepted and was merged away since', () => {
    const fates = new Map([
      ['demo:m:x@b.co', [{ at: 20, to: 'p-old' }]],
      ['demo:s:p-old', [{ at: 20, to: 'p-ada' }]],
    ]);
    const merged = known({ fates, absent: new Set(['p-old']), leftBy: leaving('p-old', 5, 20) });
    const { changed, addresses } = planned([request(10, statement('x@b.co'))], merged);
    expect(changed[0]?.after.consents).toEqual([{ k, v: 'subscribed', at: 10 }]);
    expect(addresses).toMatchObject([{ key: 'demo:m:x@b.co', consents: [{ at: 10 }] }]);
    expect(addresses[0]?.consents[0]?.orphan).toBeUndefined();
  });

  it('is kept for nobody when whoever had left the email was deleted since', () => {
    const gone = known({
      fates: new Map([
        ['demo:m:x@b.co', []],
        ['demo:s:p-old', [{ at: 30 }]],
      ]),
      absent: new Set(['p-old']),
      leftBy: leaving('p-old', 5, 20),
    });
    const { addresses, outcomes } = planned([request(10, statement('x@b.co'))], gone);
    expect([addresses, outcomes[0]?.entries]).toEqual([[], { emails: ['ignored:deleted'] }]);
  });

  it.each([
    [4, 'subscribed', true],
    [5, 'subscribed', undefined],
    [20, undefined, true],
  ])(
    'stamped %d, about an email that somebody had from 5 to 20: for them %p, an orphan %p',
    (at, state, orphan) => {
      const { changed, addresses } = planned(
        [request(at, statement('x@b.co'))],
        known({ leftBy: leaving('p-ada', 5, 20) }),
      );
      expect(changed[0]?.after.consents[0]?.v).toBe(state);
      expect(addresses[0]?.consents[0]?.orphan).toBe(orphan);
    },
  );

  it('never wins over one that was accepted later, however they are batched', () => {
    const about = known({
      profiles: new Map([['p-ada', { ...ada, consents: [{ k, v: 'unsubscribed', at: 30 }] }]]),
      addresses: new Map([['demo:m:a@b.co', [{ k, v: 'unsubscribed', at: 30 }]]]),
    });
    const { changed, addresses } = planned([request(10, statement('ada'), statement('a@b.co'))], about);
    expect(changed[0]?.after.consents).toEqual([{ k, v: 'unsubscribed', at: 30 }]);
    expect(addresses).toMatchObject([{ consents: [{ v: 'unsubscribed', at: 30 }] }]);
  });

  it('that contradicts itself counts as it ends, for the person and for the email', () => {
    const { changed, addresses } = planned([
      request(10, statement('ada', 'subscribed'), statement('a@b.co', 'unsubscribed')),
    ]);
    expect(changed[0]?.after.consents).toEqual([{ k, v: 'subscribed', at: 10 }]);
    expect(addresses[0]?.consents).toEqual([{ k, v: 'unsubscribed', at: 10 }]);
  });
});
