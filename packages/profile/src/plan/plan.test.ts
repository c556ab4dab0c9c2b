import { plan } from '@roster/testkit';
import type { IdentityClaim } from '../find/claim.ts';
import type { Fate } from '../find/fate.ts';
import { identityKey } from '../find/identifier.ts';
import { type Consent, newProfile, type Profile } from '../profile.ts';
import type { AttributeSettings, Reading } from '../reading/change.ts';
import { pushTokenKey } from '../reading/reading-lists.ts';
import type { Deletions } from './awaits.ts';
import { type AttributeObject, prepare, type TrackBody, type TrackEntry } from './item.ts';
import { nothingKnown, type PlanKnown } from './known.ts';
import type { PlanInput, Planned } from './plan.ts';

interface Occurrence extends TrackEntry {
  when?: number;
}
type Body = TrackBody<Occurrence, Occurrence>;

const at = 1_763_000_000_000_000;
/** Everything was looked up and nothing found: contacts and former owners. */
const nothing = <Value>(): ReadonlyMap<string, readonly Value[]> =>
  Object.assign(new Map<string, readonly Value[]>(), { get: () => [] });

const reading: Reading = {
  time: () => undefined,
  country: (text) => text,
  timeZone: (text) => text,
  language: (text) => text,
};
const settings: AttributeSettings = {
  blockedAttributes: new Set(['secret']),
  mostElements: 25,
  mostProfileBytes: 1_000_000,
};

const run = (
  bodies: Body[],
  known: Partial<PlanKnown> = {},
  deletions?: Deletions,
): Planned<Occurrence, Occurrence> => {
  const requests = bodies.map((body, index) =>
    prepare({ id: `r${index}`, ws: 'demo', at: at + index, body }),
  );
  const input: PlanInput<Occurrence, Occurrence> = {
    requests,
    known: { ...nothingKnown, contacts: nothing(), fates: nothing(), ...known },
    reading,
    settingsOf: () => settings,
    happenedAt: ({ when = 0 }) => when,
    ...(deletions && { deletions }),
  };
  return plan(input);
};

const mustBeReady = (planned: Planned<Occurrence, Occurrence>) => {
  if (planned.ready) return planned;
  throw new Error(`needs ${Object.values(planned.needs).map((some) => [...some].join())}`);
};
const ready = (bodies: Body[], known?: Partial<PlanKnown>) => mustBeReady(run(bodies, known));

const results = (bodies: Body[], known?: Partial<PlanKnown>) =>
  ready(bodies, known).results.map(({ entries }) => entries);

const person = (id: string, changes: Partial<Profile> = {}, ws = 'demo'): Profile => ({
  ...newProfile(id, ws, at - 1000),
  ...changes,
});
const byId = <One extends { _id: string }>(...all: One[]): Map<string, One> =>
  new Map(all.map((one) => [one._id, one]));
const keyOf = (externalId: string): string => identityKey('demo', { by: 'external_id', id: externalId });
const emailOf = (email: string): string => identityKey('demo', { by: 'email', email });
const claim = (externalId: string, profile: string, since = 1): Map<string, IdentityClaim> =>
  new Map([[keyOf(externalId), { profile, at: since }]]);

/** An entry about `ada`, who is this person. */
const aboutAda = (entry: AttributeObject, ada: Profile, more: Partial<PlanKnown> = {}) =>
  run([{ attributes: [{ external_id: 'ada', ...entry }] }], {
    claims: claim('ada', ada._id),
    profiles: byId(ada),
    ...more,
  });
const withEmail = (v = 'a@b.co', since = 1): Profile =>
  person('p1', { email_key: v, fields: { email: { v, at: since } } });

describe('the plan of a batch', () => {
  it('creates a person once, however often an entry names them', () => {
    const planned = ready([
      { attributes: [{ external_id: 'ada', first_name: 'Ada' }], events: [{ external_id: 'ada' }] },
      { events: [{ external_id: 'ada' }, { external_id: 'ada' }] },
    ]);
    expect(planned.created).toHaveLength(1);
    expect(planned.claims).toHaveLength(1);
    expect(planned.events.map(({ profile }) => profile)).toEqual(Array(3).fill(planned.created[0]?._id));
    expect(planned.results.map(({ entries }) => entries)).toEqual([
      { attributes: ['created'], events: ['updated'] },
      { events: ['updated', 'updated'] },
    ]);
  });

  it('touches no profile for an event of a known person', () => {
    const planned = ready([{ events: [{ external_id: 'ada' }] }], { claims: claim('ada', 'p1') });
    expect([planned.created, planned.changed, planned.claims]).toEqual([[], [], []]);
    expect(planned.events.map(({ profile }) => profile)).toEqual(['p1']);
  });

  it('takes attributes before events, so that an alias-only person is there for them', () => {
    const user_alias = { alias_label: 'crm', alias_name: '7' };
    expect(
      results([{ events: [{ user_alias }], attributes: [{ user_alias, _update_existing_only: false }] }]),
    ).toEqual([{ attributes: ['created'], events: ['updated'] }]);
    expect(results([{ events: [{ user_alias, _update_existing_only: false }] }])).toEqual([
      { events: ['ignored:no_such_user'] },
    ]);
  });

  it('finds the person that the late entry would have created in time, and so do the entries after it', () => {
    const user_alias = { alias_label: 'crm', alias_name: '7' };
    const key = identityKey('demo', { by: 'user_alias', label: 'crm', name: '7' });
    const planned = ready(
      [
        { attributes: [{ user_alias, _update_existing_only: false }], events: [{ user_alias }] },
        { events: [{ user_alias }] },
      ],
      { claims: new Map([[key, { profile: 'p1', at: at + 10 }]]), profiles: byId(person('p1')) },
    );
    expect(planned.results.map(({ entries }) => entries)).toEqual([
      { attributes: ['updated'], events: ['updated'] },
      { events: ['updated'] },
    ]);
    expect(planned.reached).toEqual([{ key, profile: 'p1', at }]);
  });

  it('creates one email-only person for one email in all its spellings', () => {
    const planned = ready([{ events: [{ email: 'Ada@b.co' }, { email: 'ada@B.CO ' }] }]);
    expect(planned.created).toHaveLength(1);
    expect(planned.created[0]).toMatchObject({
      email_key: 'ada@b.co',
      fields: { email: { v: 'Ada@b.co', at } },
    });
    expect(planned.created[0]).not.toHaveProperty('aliases');
    expect(planned.locks).toHaveLength(1);
  });

  it('finds people by the email that an earlier entry gave them, and no more by the one it took away', () => {
    const before = { ...withEmail('old@b.co'), external_id: 'ada' };
    const body: Body = {
      attributes: [{ external_id: 'ada', email: 'new@b.co' }],
      events: [{ email: 'new@b.co' }, { email: 'old@b.co' }],
    };
    const known = { claims: claim('ada', 'p1'), listed: byId(before), profiles: byId(before) };
    const planned = ready([body], known);
    expect(planned.events.map(({ profile }) => profile === 'p1')).toEqual([true, false]);
    expect(planned.results[0]?.entries.events).toEqual(['updated', 'created']);
  });

  it('asks for whole profiles and for activity only when they decide', () => {
    const one = person('p1', { email_key: 'a@b.co' });
    const other = person('p2', { email_key: 'a@b.co', updated_at: at - 5000 });
    const listed = byId(one, other);
    const body: Body = { attributes: [{ email: 'a@b.co', first_name: 'Ada' }] };
    const first = run([body], { listed });
    expect(first.ready ? [] : [...first.needs.activity]).toEqual(['p1', 'p2']);
    const activity = new Map(Object.entries({ p1: 0, p2: at - 500 }));
    const second = run([body], { listed, activity });
    expect(second.ready ? [] : [...second.needs.profiles]).toEqual(['p2']);
    expect(
      ready([body], { listed, activity, profiles: byId(other) }).changed.map(({ after }) => after._id),
    ).toEqual(['p2']);
    const identified = { ...other, external_id: 'bob' };
    expect(run([body], { listed: byId(one, identified), profiles: byId(identified) }).ready).toBe(true);
  });

  it('counts an event of this batch as an update when it ranks people with the same email', () => {
    const [one, other] = [person('p1', { email_key: 'a@b.co' }), person('p2', { email_key: 'a@b.co' })];
    const known = {
      claims: new Map([...claim('one', 'p1'), ...claim('other', 'p2')]),
      listed: byId(one, other),
      activity: new Map(Object.entries({ p1: 0, p2: 0 })),
    };
    const planned = ready(
      [{ events: [{ email: 'a@b.co' }, { external_id: 'other', when: at }, { email: 'a@b.co' }] }],
      known,
    );
    expect(planned.events.map(({ profile }) => profile)).toEqual(['p1', 'p2', 'p2']);
  });

  it('does not store an email or phone twice that only names the person', () => {
    const before = withEmail();
    const planned = ready([{ attributes: [{ email: 'A@b.co', phone: '+15005550006' }] }], {
      listed: byId(before),
      profiles: byId(before),
    });
    expect(planned.changed[0]?.after.fields).toEqual({
      email: { v: 'a@b.co', at: 1 },
      phone: { v: '+15005550006', at },
    });
    expect(planned.changed[0]?.after.phone_key).toBe('+15005550006');
  });

  it('asks for the fates of identifiers without an owner or with a claim younger than the request, and of no others', () => {
    const body: Body = { events: [{ external_id: 'ada' }, { external_id: 'bob' }, { external_id: 'eve' }] };
    const claims = new Map([...claim('ada', 'p1', at - 1), ...claim('bob', 'p2', at + 1)]);
    const planned = run([body], { claims, fates: new Map() });
    expect(planned.ready ? [] : [...planned.needs.fates]).toEqual([keyOf('bob'), keyOf('eve')]);
  });

  it.each<[what: string, fates: Fate[], result: string]>([
    ['nothing happened', [], 'updated'],
    ['a deletion that the request came before', [{ at }], 'ignored:deleted'],
    ['a deletion that was over', [{ at: at - 1 }], 'updated'],
    ['a merge into another person', [{ at, to: 'p1' }], 'updated'],
    [
      'the first of two that it came before',
      [{ at: at - 5 }, { at }, { at: at + 5, to: 'p1' }],
      'ignored:deleted',
    ],
  ])('tells requests from before apart: %s', (_, fates, result) => {
    const younger = person('p2', { external_id: 'ada' });
    const planned = ready([{ attributes: [{ external_id: 'ada', n: 1 }] }], {
      claims: claim('ada', 'p2', at + 10),
      fates: new Map([[keyOf('ada'), fates]]),
      profiles: byId(younger, person('p1')),
    });
    expect(planned.results[0]?.entries.attributes).toEqual([result]);
    expect(planned.changed.map(({ after }) => after._id)).toEqual(
      result === 'updated' ? [fates.some(({ to }) => to) ? 'p1' : 'p2'] : [],
    );
  });

  it('adds a statement to the email that the person has after the entry, each register by its stamp', () => {
    const old: Consent[] = [
      { k: 'email', v: 'opted_in', at: at - 1 },
      { k: 'group:news', v: 'subscribed', at: at + 100 },
    ];
    const entry: AttributeObject = {
      email_subscribe: 'unsubscribed',
      push_subscribe: 'opted_in',
      subscription_groups: [{ subscription_group_id: 'news', subscription_state: 'unsubscribed' }],
    };
    const contacts = new Map([[emailOf('a@b.co'), old]]);
    const planned = mustBeReady(aboutAda(entry, withEmail(), { contacts }));
    expect(planned.contacts).toMatchObject([
      {
        key: emailOf('a@b.co'),
        ws: 'demo',
        consents: [
          { k: 'email', v: 'unsubscribed', at, earlier: [{ v: 'opted_in' }] },
          { k: 'group:news', v: 'subscribed', at: at + 100, earlier: [{ v: 'unsubscribed', at }] },
        ],
      },
    ]);
    expect(planned.changed[0]?.after.consents).toHaveLength(3);
  });

  it('asks for statements about a contact only where a statement is added or a person leaves it', () => {
    const asks = (entry: AttributeObject): string[] => {
      const planned = aboutAda(entry, withEmail(), { contacts: new Map() });
      return planned.ready ? [] : [...planned.needs.contacts];
    };
    expect(asks({ n: 1, push_subscribe: 'opted_in', email: 'A@b.co' })).toEqual([]);
    expect(asks({ email: null })).toEqual([emailOf('a@b.co')]);
    expect(asks({ email: 'new@b.co', email_subscribe: 'opted_in' })).toEqual([
      emailOf('a@b.co'),
      emailOf('new@b.co'),
    ]);
  });

  it('lets people who leave an email take its state along', () => {
    const said: Consent[] = [
      { k: 'email', v: 'unsubscribed', at: at - 5 },
      { k: 'group:before', v: 'subscribed', at: at - 20 },
      { k: 'group:after', v: 'subscribed', at: at + 5 },
    ];
    const email = emailOf('a@b.co');
    const before = withEmail('a@b.co', at - 10);
    const contacts = new Map([[email, said]]);
    const planned = mustBeReady(aboutAda({ email: 'new@b.co' }, before, { contacts }));
    expect(planned.changed[0]?.after.consents).toEqual([
      { ...said[0], of: email },
      { ...said[1], of: email },
    ]);
    expect(planned.contacts).toEqual([{ key: email, ws: 'demo', consents: said, mayBeUnowned: true }]);
  });

  it('adds a late statement to the email that the person had then, unless its last owner was deleted since', () => {
    const email = emailOf('a@b.co');
    const contacts = [
      { c: 'email' as const, v: 'a@b.co', at: at - 10 },
      { c: 'email' as const, v: 'new@b.co', at: at + 10 },
    ];
    const now = { ...withEmail('new@b.co', at + 10), contacts };
    const about = (all: Fate[]) => {
      const fates = new Map([[email, all]]);
      return mustBeReady(aboutAda({ email_subscribe: 'unsubscribed' }, now, { fates }));
    };
    const said = { k: 'email', v: 'unsubscribed', at };
    expect(about([]).contacts).toEqual([{ key: email, ws: 'demo', consents: [said] }]);
    expect(about([]).changed[0]?.after.consents).toEqual([said]);
    expect(about([{ at: at + 20 }]).contacts).toEqual([]);
  });
});

describe('an entry about a person whose deletion is accepted and not applied', () => {
  const email = 'ada@example.com';
  const ada = person('p-ada', {
    external_id: 'ada',
    former_ids: ['old'],
    aliases: [{ label: 'crm', name: 'x' }],
    email_key: email,
    phone_key: '+14155550100',
  });
  const known = { claims: claim('ada', 'p-ada', at - 1000), profiles: byId(ada) };

  const waiting = (body: Body, names: string[], about: Partial<PlanKnown> = known) => {
    const deletions: Deletions = {
      mayConcern: ({ id }) => id === 'r0',
      isNamed: (name) => names.includes(name),
    };
    const made = run([body, body], about, deletions);
    return made.ready ? made.results.map(({ waits }) => waits === true) : made.needs;
  };

  const byAda: Body = { events: [{ external_id: 'ada' }] };

  it.each([
    ['external id', keyOf('ada')],
    ['former external id', keyOf('old')],
    ['alias', identityKey('demo', { by: 'user_alias', label: 'crm', name: 'x' })],
    ['email', emailOf(email)],
    ['phone', identityKey('demo', { by: 'phone', phone: '+14155550100' })],
    ['service id', identityKey('demo', { by: 'service_id', id: 'p-ada' })],
  ])('waits when they are named by %s, unless it came before', (_by, name) => {
    expect(waiting(byAda, [name])).toEqual([true, false]);
    expect(waiting({ attributes: [{ external_id: 'ada' }] }, [name])).toEqual([true, false]);
  });

  it('does not wait when it names none of these people', () => {
    expect(waiting(byAda, [keyOf('bob')])).toEqual([false, false]);
  });

  it('waits by a name that leads to no person yet, and for a contact that it gives', () => {
    const gives: Body = { attributes: [{ external_id: 'ada', email: 'new@example.com' }] };
    expect(waiting({ events: [{ external_id: 'bob' }] }, [keyOf('bob')])).toEqual([true, false]);
    expect(waiting(gives, [emailOf('new@example.com')])).toEqual([true, false]);
  });

  it('waits with tokens that the person has', () => {
    const token = { token: 't1', app: 'a', platform: 'ios' };
    const imports: Body = { attributes: [{ push_token_import: true, push_tokens: [token] }] };
    const token_keys = [pushTokenKey(token) ?? ''];
    const listed = { ...ada, token_keys };
    const about = { ...known, listed: byId(listed) };
    expect(waiting(imports, [keyOf('ada')], about)).toEqual([true, false]);
    expect(waiting(imports, [keyOf('bob')], about)).toEqual([false, false]);
  });

  it('asks for the profile, which an event alone would not need', () => {
    expect(waiting(byAda, [keyOf('ada')], { claims: known.claims })).toEqual([true, false]);
    expect(waiting(byAda, [keyOf('bob')], { claims: known.claims })).toMatchObject({
      profiles: new Set(['p-ada']),
    });
  });
});

describe('an entry from before the deletion of a person who was merged away later', () => {
  const user_alias = { alias_label: 'web', alias_name: 'ada' };
  const key = identityKey('demo', { by: 'user_alias', label: 'web', name: 'ada' });
  const gone = identityKey('demo', { by: 'service_id', id: 'gone' });
  /** The alias led to `gone` until the merge, and began again between the deletion and the merge. */
  const known: Partial<PlanKnown> = {
    claims: new Map([[key, { profile: 'p1', at: at + 20 }]]),
    fates: new Map([
      [key, [{ at: at + 30, to: 'gone' }]],
      [gone, [{ at: at + 10 }]],
    ]),
    profiles: new Map<string, Profile | undefined>([...byId(person('p1')), ['gone', undefined]]),
  };
  const body: Body = {
    attributes: [{ user_alias, _update_existing_only: false, visits: { inc: 1 } }],
    events: [{ user_alias }],
  };

  it('is too late, each part of it, and the next owner of the name is who it was', () => {
    const { results: said, reached, changed } = ready([body], known);
    expect(said.map(({ entries }) => entries)).toEqual([
      { attributes: ['ignored:deleted'], events: ['ignored:deleted'] },
    ]);
    expect(reached).toEqual([]);
    expect(changed).toEqual([]);
  });

  it('is about the next owner when it was accepted after the deletion', () => {
    const fates = new Map([...(known.fates ?? []), [gone, [{ at: at - 1 }]]]);
    const { results: said, reached } = ready([body], { ...known, fates });
    expect(said.map(({ entries }) => entries)).toEqual([{ attributes: ['updated'], events: ['updated'] }]);
    expect(reached).toEqual([{ key, profile: 'p1', at }]);
  });
});

describe('an entry that was accepted after a merge and comes late', () => {
  const serviceKey = (id: string): string => identityKey('demo', { by: 'service_id', id });
  const kept = person('kept', {
    email_key: 'ada@example.com',
    fields: { email: { v: 'ada@example.com', at: at - 500, from: ['gone'] } },
    custom: [{ k: 'colour', v: 'blue', at: at - 500 }],
    absorbed: ['gone'],
    contacts: [
      { c: 'email', v: 'ada@example.com', at: at - 500, of: 'gone' },
      { c: 'email', v: null, at: at - 100, of: 'gone' },
      { c: 'email', v: 'ada@example.com', at: at - 100 },
    ],
  });
  const after = (merged: Profile, part: { part?: true } = {}): Partial<PlanKnown> => ({
    profiles: new Map<string, Profile | undefined>([...byId(merged), ['gone', undefined]]),
    fates: new Map([[serviceKey('gone'), [{ at: at + 100, to: 'kept', ...part }]]]),
  });
  const changed = (entry: AttributeObject, known: Partial<PlanKnown>): unknown[] => {
    const { changed, created } = ready([{ attributes: [entry], events: [entry] }], known);
    const told = ({ _id, fields, custom }: Profile) => [
      _id,
      fields.email?.v,
      custom.find(({ k }) => k === 'colour')?.v,
    ];
    return [...changed.map(({ after }) => told(after)), ...created.map(told)];
  };

  it('changes the email of the kept person, and everything else too', () => {
    const entry = { service_id: 'gone', email: null, colour: 'red' };
    expect(changed(entry, after(kept))).toEqual([['kept', null, 'red']]);
  });

  it('counts as one from before the merge when it gives no email', () => {
    expect(changed({ service_id: 'gone', colour: 'red' }, after(kept))).toEqual([
      ['kept', 'ada@example.com', 'blue'],
    ]);
  });

  it('counts as one from before the merge when it was accepted before', () => {
    const contacts = kept.contacts?.map((one) => (one.v === null ? { ...one, at: at + 50 } : one)) ?? [];
    const entry = { service_id: 'gone', email: null, colour: 'red' };
    expect(changed(entry, after({ ...kept, contacts }))).toEqual([['kept', null, 'blue']]);
  });

  it('finds no person by the service id of a person who was identified without a merge', () => {
    const body = { attributes: [{ service_id: 'gone', email: null }] };
    const found = results([body], after(kept, { part: true }));
    expect(found).toEqual([{ attributes: ['ignored:no_such_user'] }]);
  });

  it('is about the person kept by a merge that was accepted after it', () => {
    const contacts = [
      { c: 'email' as const, v: null, at: at - 100, of: 'gone', via: 'between' },
      { c: 'email' as const, v: null, at: at + 50, of: 'between' },
    ];
    const custom = [{ k: 'colour', v: 'blue', at: at - 500, from: ['between'] }];
    const entry = { service_id: 'gone', email: null, colour: 'red' };
    expect(changed(entry, after({ ...kept, contacts, custom }))[0]).toEqual([
      'kept',
      'ada@example.com',
      'red',
    ]);
  });
});
