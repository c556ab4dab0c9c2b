import { groupKey } from '../consent/consent.ts';
import { nothingKnown, type PlanKnown } from '../plan/known.ts';
import { newProfile, type Profile } from '../profile.ts';
import { type NamedStatement, planSubscriptions, type SubscriptionRequest } from './plan.ts';

const ada: Profile = {
  ...newProfile('p-ada', 'demo', 5),
  external_id: 'ada',
  email_key: 'a@b.co',
  fields: { email: { v: 'a@b.co', at: 5 } },
};

const email = 'demo:m:a@b.co';
const phone = 'demo:p:+15005550001';

const known = (more: Partial<PlanKnown> = {}): PlanKnown => ({
  ...nothingKnown,
  claims: new Map([['demo:e:ada', { profile: 'p-ada', at: 5 }]]),
  profiles: new Map([['p-ada', ada]]),
  contacts: new Map([
    [email, []],
    [phone, []],
    ['demo:m:x@b.co', []],
  ]),
  fates: new Map([
    ['demo:e:bob', []],
    [email, []],
    ['demo:m:x@b.co', []],
  ]),
  ...more,
});

const statement = (
  name: string,
  state: NamedStatement['state'] = 'subscribed',
  group = 'news',
): NamedStatement => ({
  array: name.includes('@') ? 'emails' : 'external_ids',
  name,
  group,
  state,
  channel: group === 'news' ? 'email' : 'sms',
});

const request = (at: number, ...statements: NamedStatement[]): SubscriptionRequest => ({
  id: `r${at}`,
  ws: 'demo',
  at,
  op: 'subscription.status.set',
  statements,
});

const planned = (requests: SubscriptionRequest[], about = known()) => {
  const made = planSubscriptions({ requests, known: about });
  if (!made.ready)
    throw new Error(`needs ${JSON.stringify(Object.values(made.needs).map((set) => [...set]))}`);
  return made;
};

const k = groupKey('news');
const op = 'subscription.status.set';

describe('a subscription request', () => {
  it('by external id is a statement about the person, and about the email that they have', () => {
    const { changed, contacts, outcomes } = planned([request(10, statement('ada'))]);
    expect(changed.map(({ after }) => after.consents)).toEqual([[{ k, v: 'subscribed', at: 10, op }]]);
    expect(contacts).toEqual([{ key: email, ws: 'demo', consents: [{ k, v: 'subscribed', at: 10, op }] }]);
    expect(outcomes.map(({ entries }) => entries)).toEqual([{ external_ids: ['updated'] }]);
  });

  it('about text messages by external id is a statement about the person and their phone, not about their email', () => {
    const alerts = [request(10, statement('ada', 'subscribed', 'alerts'))];
    const { changed, contacts } = planned(alerts);
    expect(changed[0]?.after.consents).toMatchObject([{ k: groupKey('alerts', 'sms'), v: 'subscribed' }]);
    expect(contacts).toEqual([]);
    const fields = { ...ada.fields, phone: { v: '+15005550001', at: 5 } };
    const withPhone = new Map([['p-ada', { ...ada, fields, phone_key: '+15005550001' }]]);
    expect(planned(alerts, known({ profiles: withPhone })).contacts).toMatchObject([{ key: phone }]);
  });

  it('by an external id without an owner is ignored', () => {
    const { changed, contacts, outcomes } = planned([request(10, statement('bob'))]);
    expect([changed, contacts]).toEqual([[], []]);
    expect(outcomes[0]?.entries).toEqual({ external_ids: ['ignored:no_such_user'] });
  });

  it('by email is a statement about the email only, not about its owners', () => {
    const { changed, contacts } = planned([request(10, statement('A@b.co'))]);
    expect(changed).toEqual([]);
    expect(contacts).toEqual([
      { key: email, ws: 'demo', consents: [{ k, v: 'subscribed', at: 10, op }], mayBeUnowned: true },
    ]);
  });

  it('leaves nothing about a contact whose last owner was deleted since it was accepted', () => {
    const gone = known({ fates: new Map([['demo:m:x@b.co', [{ at: 20 }]]]) });
    const { contacts, outcomes } = planned([request(10, statement('x@b.co'))], gone);
    expect(contacts).toEqual([]);
    expect(outcomes[0]?.entries).toEqual({ emails: ['ignored:deleted'] });
    expect(planned([request(21, statement('x@b.co'))], gone).contacts).toHaveLength(1);
  });

  it('never wins over one that was accepted later, however they are batched', () => {
    const about = known({
      profiles: new Map([['p-ada', { ...ada, consents: [{ k, v: 'unsubscribed', at: 30 }] }]]),
      contacts: new Map([[email, [{ k, v: 'unsubscribed', at: 30 }]]]),
    });
    const { changed, contacts } = planned([request(10, statement('ada'), statement('a@b.co'))], about);
    expect(changed[0]?.after.consents).toMatchObject([{ k, v: 'unsubscribed', at: 30 }]);
    expect(contacts).toMatchObject([{ consents: [{ v: 'unsubscribed', at: 30 }] }]);
  });

  it('that contradicts itself counts as it ends', () => {
    const { contacts } = planned([
      request(10, statement('ada', 'subscribed'), statement('a@b.co', 'unsubscribed')),
    ]);
    expect(contacts[0]?.consents).toMatchObject([{ k, v: 'unsubscribed', at: 10 }]);
  });
});
