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
  ]),
  fates: new Map([
    ['demo:e:bob', []],
    [email, []],
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

  it('that contradicts itself counts as it ends', () => {
    const { contacts } = planned([
      request(10, statement('ada', 'subscribed'), statement('a@b.co', 'unsubscribed')),
    ]);
    expect(contacts[0]?.consents).toMatchObject([{ k, v: 'unsubscribed', at: 10 }]);
  });
});
