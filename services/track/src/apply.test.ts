import type { AcceptedRequest, Outcome } from '@roster/contract';
import { shownAttributes } from '@roster/profile';
import { createApply } from './apply.ts';
import { defaultSettings } from './settings.ts';
import { time, useTrack } from './testbed.ts';
import { forgetfulMarks } from './without-protection.ts';

const { store, apply, ...bed } = useTrack();

const entriesOf = (outcomes: (Outcome | undefined)[]) => outcomes.map((one) => one?.entries);

describe('a batch', () => {
  it('stores attributes, events and purchases, and has a result for each entry', async () => {
    const ada = bed.uniqueId();
    const sent = bed.request({
      attributes: [
        {
          external_id: ada,
          first_name: 'Ada',
          email: `${ada}@Example.com`,
          colour: 'green',
          visits: { inc: 2 },
        },
      ],
      events: [
        'TIME_INVALID',
        { external_id: ada, app_id: 'web', properties: { $a: 1, 'b.c': [{ __proto__: null }], '': 'x' } },
      ],
      purchases: [{ external_id: ada, price: 4.5 }],
    });
    const [outcome] = await apply([sent]);
    expect(outcome).toEqual({
      state: 'applied',
      entries: {
        attributes: ['created'],
        events: ['refused:TIME_INVALID', 'updated'],
        purchases: ['updated'],
      },
    });
    expect(await bed.profileOf(ada)).toMatchObject({
      external_id: ada,
      fields: { first_name: { v: 'Ada' }, email: { v: `${ada}@Example.com` } },
      custom_attributes: { colour: 'green', visits: 2 },
    });
    expect(await bed.eventsOf(ada)).toEqual([
      {
        index: 1,
        ws: 'demo',
        profile: await bed.claimOf(ada),
        name: 'seen',
        time: new Date(time),
        at: sent.at,
        app_id: 'web',
        properties: '{"$a":1,"b.c":[{}],"":"x"}',
      },
    ]);
    expect(await bed.purchasesOf(ada)).toMatchObject([{ price: 4.5, quantity: 1, currency: 'USD' }]);
    const { id, op, at } = sent;
    expect(await store.outcomes.read('demo', id)).toMatchObject({ ...outcome, id, op, at });
  });

  it('writes only members of its schemas', async () => {
    const ada = bed.uniqueId();
    const alias = { alias_label: 'crm', alias_name: ada };
    await apply([
      bed.request({
        attributes: [
          {
            external_id: ada,
            first_name: 'Ada',
            email: 'a@schema.co',
            phone: '+15005550006',
            list: ['a'],
            n: { inc: 1 },
          },
          { user_alias: alias, _update_existing_only: false, n: 'text' },
          { user_alias: alias, n: { inc: 1 } },
          {
            external_id: ada,
            email: 'other@schema.co',
            email_subscribe: 'opted_in',
            subscription_groups: [{ subscription_group_id: 'news', subscription_state: 'subscribed' }],
            push_tokens: [{ app_id: 'web', token: 'schema' }],
            devices: [{ device_id: 'schema-device', model: 'x' }],
            current_location: { longitude: 1, latitude: 2 },
            list: { add: ['b'], remove: ['a'] },
            map: { a: { b: 1 } },
            rows: [{ id: 1 }],
          },
          {
            external_id: ada,
            email: 'a@schema.co',
            list: { add: ['c'] },
            map: { c: 1 },
            _merge_objects: true,
          },
          {
            external_id: ada,
            rows: {
              $add: [{ id: 2 }],
              $update: [{ $identifier_key: 'id', $identifier_value: 1, $new_object: { x: 1 } }],
              $remove: [{ $identifier_key: 'id', $identifier_value: 2 }],
            },
            devices: null,
          },
        ],
        events: [{ external_id: ada, properties: {}, app_id: 'web' }],
        purchases: [{ external_id: ada, quantity: 3 }],
      }),
    ]);
    for (const { length } of [await store.events.find(), await store.purchases.find()])
      expect(length).toBeGreaterThan(0);
    for (const name of ['profiles', 'identities', 'contacts', 'requests'] as const)
      expect(await store[name].countDocuments()).toBeGreaterThan(0);
  });

  it('turns a future time into the time of acceptance', async () => {
    const ada = bed.uniqueId();
    const sent = bed.events({ external_id: ada, time: '2999-01-01' });
    await apply([sent]);
    expect((await bed.eventsOf(ada))[0]?.time.getTime()).toBe(Math.floor(sent.at / 1000));
  });

  it('leaves out properties where the workspace does not keep them', async () => {
    const ada = bed.uniqueId();
    const careful = createApply({
      store,
      settingsOf: async () => ({ ...defaultSettings, keepProperties: false, outcomeDays: 7 }),
    });
    const sent = bed.events({ external_id: ada, properties: { a: 1 } });
    await careful([sent]);
    expect((await bed.eventsOf(ada))[0]).not.toHaveProperty('properties');
    const mark = await store.requests.findOne({ _id: sent.id });
    expect((mark?.expires.getTime() ?? 0) - (mark?.applied.getTime() ?? 0)).toBe(7 * 24 * 3600 * 1000);
  });

  it('takes a thousand entries', async () => {
    const names = Array.from({ length: 200 }, bed.uniqueId);
    const entries = Array.from({ length: 1000 }, (_, index) => ({
      external_id: names[index % 200] ?? '',
      n: { inc: 1 },
    }));
    const requests = Array.from({ length: 20 }, (_, index) =>
      bed.attributes(...entries.slice(index * 50, index * 50 + 50)),
    );
    await apply(requests);
    expect((await bed.profileOf(names[7] ?? '')).custom_attributes).toEqual({ n: 5 });
    expect(await store.profiles.countDocuments({ external_id: { $in: names } })).toBe(200);
  });

  it('takes the longest identifiers', async () => {
    const external_id = 'é'.repeat(493);
    await apply([bed.events({ external_id }, { external_id })]);
    expect(await bed.eventsOf(external_id)).toHaveLength(2);
  });
});

describe('exactly once', () => {
  const mixed = (ada: string): AcceptedRequest[] =>
    Array.from({ length: 20 }, () =>
      bed.request({
        attributes: [{ external_id: ada, visits: { inc: 1 } }],
        events: [{ external_id: ada }, { external_id: ada }],
      }),
    );

  it('applies a batch that comes twice once, and gives the same outcome', async () => {
    const ada = bed.uniqueId();
    const batch = mixed(ada);
    const first = await apply(batch);
    expect(await apply(batch)).toEqual(first);
    expect(await apply([...batch.slice(5, 8), ...batch.slice(5, 8)])).toEqual([
      ...first.slice(5, 8),
      ...first.slice(5, 8),
    ]);
    expect(await bed.eventsOf(ada)).toHaveLength(40);
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ visits: 20 });
  });

  it('applies a request that failed before, once', async () => {
    const ada = bed.uniqueId();
    const sent = bed.events({ external_id: ada });
    await store.outcomes.fail(sent, 'poison');
    await Promise.all([apply([sent]), apply([sent])]);
    expect(await bed.eventsOf(ada)).toHaveLength(1);
    expect(await store.outcomes.read('demo', sent.id)).toMatchObject({
      state: 'applied',
      entries: { events: ['created'] },
    });
    expect(await store.outcomes.read('demo', sent.id)).not.toHaveProperty('reason');
  });

  it('doubles without the marks: these tests would notice', async () => {
    const ada = bed.uniqueId();
    const careless = createApply({ store, marks: forgetfulMarks(store) });
    const batch = mixed(ada);
    await careless(batch);
    await careless(batch);
    expect(await bed.eventsOf(ada)).toHaveLength(80);
    // Steps are known by their stamps, so they don't.
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ visits: 20 });
  });
});

describe('one person', () => {
  it('is created once by external id, in any order of requests', async () => {
    const ada = bed.uniqueId();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => apply([bed.attributes({ external_id: ada, n: { inc: 1 } })])),
    );
    expect(
      outcomes.flatMap((some) => entriesOf(some)).filter((entries) => entries?.attributes?.[0] === 'created'),
    ).toHaveLength(1);
    expect(await store.profiles.countDocuments({ external_id: ada })).toBe(1);
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ n: 6 });
  });

  it.each(['email', 'phone'] as const)('is created once by %s', async (by) => {
    const value = by === 'email' ? `${bed.uniqueId()}@b.co` : '+15005551234';
    // With one stamp: for each request, the others came before. A request that another one overtakes makes a person of its own.
    const first = bed.attributes({ [by]: value });
    const set = (n: number): AcceptedRequest => ({
      ...bed.attributes({ [by]: value, [`n${n}`]: n }),
      at: first.at,
    });
    await Promise.all(Array.from({ length: 6 }, (_, n) => apply([set(n)])));
    const found = await store.profiles.find({ [`${by}_key`]: value }).toArray();
    expect(found.map((profile) => shownAttributes(profile))).toEqual([
      { n0: 0, n1: 1, n2: 2, n3: 3, n4: 4, n5: 5 },
    ]);
  });

  it('can be created again by an email that the last owner gave up', async () => {
    const [ada, email] = [bed.uniqueId(), `${bed.uniqueId()}@b.co`];
    await bed.track({ email, first_name: 'Ada' });
    const first = await store.profiles.findOne({ email_key: email });
    await bed.track({ service_id: first?._id ?? '', email: `${ada}@new.co` });
    expect(await bed.track({ email, first_name: 'Eva' })).toEqual(['created']);
    expect((await store.profiles.findOne({ email_key: email }))?._id).not.toBe(first?._id);
  });

  it('is found by service id, which never creates', async () => {
    const ada = bed.uniqueId();
    await bed.track({ external_id: ada });
    const service_id = (await bed.claimOf(ada)) ?? '';
    const outcomes = await apply([
      bed.attributes({ service_id, n: 1 }),
      bed.events({ service_id }, { service_id: 'nobody' }),
      bed.request({ events: [{ service_id }] }, { ws: 'other' }),
    ]);
    expect(entriesOf(outcomes)).toEqual([
      { attributes: ['updated'] },
      { events: ['updated', 'ignored:no_such_user'] },
      { events: ['ignored:no_such_user'] },
    ]);
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ n: 1 });
  });

  it('of another workspace is another person', async () => {
    const ada = bed.uniqueId();
    await apply([
      bed.attributes({ external_id: ada, n: 1 }),
      bed.request({ attributes: [{ external_id: ada, n: 2 }] }, { ws: 'other' }),
    ]);
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ n: 1 });
  });
});
