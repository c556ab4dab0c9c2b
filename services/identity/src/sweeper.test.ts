import { parseExact, stringifyExact } from '@roster/contract';
import { identityKey } from '@roster/profile';
import { createDeadLetters, type DeadLetters, type Fence } from '@roster/queue';
import { kinds, listedIn } from '@roster/store';
import { aDelivery, aPurchase, aSend, noCounts, serviceId, useServers } from '@roster/testkit';
import { createApply } from './apply.ts';
import { createLetterEraser } from './erase-letters.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';
import {
  event,
  mergeRequest,
  nextStamp,
  request,
  sayOf,
  takeStamp,
  uniqueId,
  useIdentity,
} from './testbed.ts';

let letters: DeadLetters;
let passed = true;
let sweeper: Sweeper;

const fence: Fence = { isPast: async () => passed, wait: async () => passed };

const { store } = useServers(async ({ redis }) => {
  letters = createDeadLetters(redis);
  const eraseLetters = createLetterEraser(store, letters);
  // It looks for work once an hour: the test calls it.
  sweeper = createSweeper({ store, fence, eraseLetters, lifetimeMs: 0, pollMs: 3_600_000 });
  return async () => {
    await sweeper.stop();
    await letters.close();
  };
});
const { apply, people, person, send } = useIdentity(store);

const names = [
  ...['consents', 'schedules', 'deliveries', 'profiles', 'sends', 'identities'],
  ...['totals', 'contacts', 'requests', 'sweeps', 'tombstones'],
];

/** The collections and letters that contain the text. */
const placesOf = async (text: string): Promise<string[]> => {
  const places: string[] = [];
  for (const name of names) {
    const all = await store.db.collection(name).find({}).toArray();
    if (JSON.stringify(all).includes(text)) places.push(name);
  }
  for (const of of kinds) if (JSON.stringify(await store[of].find()).includes(text)) places.push(of);
  if (JSON.stringify(await letters.list()).includes(text)) places.push('letters');
  return places;
};

const becomeDue = () => store.sweeps.updateMany({}, { $set: { due: new Date(0) } });

const letterOf = async (body: object): Promise<string> => {
  const sent = { ...request('users.track', { attributes: [{ external_id: 'x' }] }), body };
  const { id } = sent;
  await letters.add({ id, queue: 'track', code: 'X', reason: 'x', at: 'now', request: sent });
  return id;
};

const deletePerson = (external_id: string) => send('users.delete', { external_ids: [external_id] });

const deleteAndSweep = async (external_id: string) => {
  await deletePerson(external_id);
  await sweeper.once();
};

const digestsOf = (keys: readonly string[]) => keys.map(store.tombstones.digestOf);

/** Named by a schedule that was created then, and by its delivery. */
const named = async (n: number, recipients: object, created: number) => {
  const [schedule, dispatch] = [`schedule-${n}`, `dispatch${n}`];
  const planned = {
    ws: 'demo',
    recipients: stringifyExact(recipients),
    time: '2036-01-01T00:00:00Z',
    created,
  };
  await store.messages.schedules.insertOne({
    ...{ ...planned, _id: schedule, dispatch, messages: '{}', size: 1, state: 'sending' },
    ...{ listed: digestsOf(listedIn('demo', recipients)), changed: created },
  });
  const of = { _id: `${dispatch}/email`, dispatch, schedule, channel: 'email' } as const;
  await store.messages.deliveries.insertOne(aDelivery({ ...planned, ...of }));
  return async () => {
    const found = await store.messages.schedules.findOne({ _id: schedule });
    const delivery = await store.messages.deliveries.findOne({ schedule });
    expect(delivery?.recipients).toBe(found?.recipients);
    return { recipients: parseExact(found?.recipients ?? ''), listed: found?.listed };
  };
};

describe('a sweep', () => {
  afterEach(async () => {
    const { schedules, deliveries } = store.messages;
    for (const collection of [schedules, deliveries]) await collection.deleteMany({});
  });

  it('leaves nothing of the person in any collection and in no dead letter', async () => {
    const marker = `marker-${uniqueId()}`;
    const email = `${marker}@example.com`;
    const absorbed = serviceId(`s-${marker}`);
    const ada = await person({
      external_id: marker,
      aliases: { web: marker },
      email,
      more: { absorbed: [absorbed], custom: [{ k: marker, v: marker, at: 1 }] },
    });
    await person({ external_id: 'bob' });
    const rows = [event(ada._id, marker), event(absorbed, marker), event(serviceId('another'), 'other')];
    await store.events.insert(rows);
    await store.purchases.insert([aPurchase(ada._id, { product_id: marker })]);
    const time = new Date(0);
    const rolledUp = { ws: 'demo', of: 'events', name: marker, first: time, last: time, count: 1 } as const;
    await store.transact((session) =>
      store.totals.add(session, [
        { ...rolledUp, profile: ada._id },
        { ...rolledUp, profile: absorbed },
      ]),
    );
    await store.identities.insertOne({ _id: `demo:m:old-${email}`, profile: ada._id, at: 1 });
    await named(
      0,
      { external_user_ids: [marker], user_aliases: [{ alias_label: 'web', alias_name: marker }] },
      nextStamp(),
    );
    await letterOf({ attributes: [{ external_id: marker, secret: marker }] });
    const mixed = await letterOf({
      attributes: [
        { external_id: 'bob', name: 'Bob' },
        { email, secret: marker },
      ],
      events: [{ user_alias: { alias_label: 'web', alias_name: marker }, name: marker, time: 'now' }],
    });
    await deletePerson(marker);
    expect(await placesOf(marker)).not.toContain('profiles');

    await sweeper.once();
    // Only the sweep itself still holds a link to the person.
    expect(await placesOf(marker)).toEqual(['sweeps']);
    await becomeDue();
    await sweeper.once();
    expect(await placesOf(marker)).toEqual([]);
    expect(await store.events.count([serviceId('another')])).toBe(1);
    expect((await letters.get(mixed))?.request.body).toEqual({
      attributes: [{ external_id: 'bob', name: 'Bob' }, 'ERASED'],
      events: ['ERASED'],
    });
    expect(await letters.count()).toBe(1);
  });

  /** As after a statement about an email. */
  const leave = (email: string) => sayOf(store, email, 'unsubscribed', nextStamp());

  /** As after a person has left an email. */
  const left = async (profile: string, email: string) => {
    const contacts = [
      { c: 'email' as const, v: email, at: 1 },
      { c: 'email' as const, v: null, at: nextStamp() },
    ];
    await store.profiles.updateOne({ _id: profile }, { $set: { contacts } });
  };

  const saidOf = async (email: string) => {
    const said = await store.contactConsents.read([`demo:m:${email}`]);
    return [...said.values()].flat().map(({ v }) => v);
  };

  const sweepTwice = async () => {
    await sweeper.once();
    await becomeDue();
    await sweeper.once();
  };

  it('leaves no name of their former emails, or of people merged into them; the states stay', async () => {
    const [ada, away, marker] = [uniqueId(), uniqueId(), `former-${uniqueId()}`];
    const [before, theirs] = [`${marker}@example.com`, `${marker}-away@example.com`];
    const [{ _id }] = await people(
      { external_id: ada, email: `${ada}@example.com` },
      { external_id: away, email: theirs },
    );
    for (const email of [before, theirs]) await leave(email);
    await left(_id, before);
    await apply([mergeRequest([away, ada])]);
    await deleteAndSweep(ada);
    expect(await placesOf(marker)).toEqual(['sweeps']);
    await becomeDue();
    await sweeper.once();
    expect(await placesOf(marker)).toEqual([]);
    for (const email of [before, theirs]) expect(await saidOf(email)).toEqual(['unsubscribed']);
  });

  it('leaves nothing of an email without another owner', async () => {
    const [ada, bob, marker] = [uniqueId(), uniqueId(), `own-${uniqueId()}`];
    const [own, shared] = [`${marker}@b.co`, `shared-${bob}@b.co`];
    await people({ external_id: ada, email: own }, { external_id: bob, email: shared });
    for (const email of [own, shared]) await leave(email);
    await deletePerson(ada);
    await sweepTwice();
    expect(await placesOf(marker)).toEqual([]);
    expect([await saidOf(own), await saidOf(shared)]).toEqual([[], ['unsubscribed']]);
  });

  it('leaves the email of which an identification takes only the state', async () => {
    const [ada, other] = [uniqueId(), `other-${uniqueId()}`];
    await people({ external_id: ada }, { aliases: { web: other }, email: `${other}@b.co` });
    await leave(`${other}@b.co`);
    const user_alias = { alias_label: 'web', alias_name: other };
    const aliases_to_identify = [{ external_id: ada, user_alias }];
    await send('users.identify', { aliases_to_identify, merge_behavior: 'none' });
    await sweepTwice();
    const found = await store.consentHistory.find('demo', { by: 'external_id', id: ada });
    expect(found?.map(({ to }) => to)).toEqual(['unsubscribed']);
  });

  it('keeps the history of consent as proof where the workspace wants it, without a name', async () => {
    const [ada, marker] = [uniqueId(), `proof-${uniqueId()}`];
    const email = `${marker}@b.co`;
    const { _id } = await person({ external_id: ada, email });
    await leave(email);
    const changes = await store.consentHistory.find('demo', { by: 'external_id', id: ada });
    const proving = { ...store, keepsProofOf: () => true };
    const applyProving = createApply({ store: proving, takeStamp });
    const deletion = request('users.delete', { external_ids: [ada] });
    await applyProving([deletion]);
    await applyProving([deletion]);
    await sweepTwice();
    expect(await placesOf(marker)).toEqual([]);
    const kept = await store.consentHistory.find('demo', { by: 'external_id', id: ada });
    expect(changes).toHaveLength(1);
    expect(kept).toEqual(changes);
    expect((await store.consentHistory.find('demo', { by: 'email', email }))?.length).toBe(1);
    const rows = await store.consents.find({}).toArray();
    for (const name of [ada, email, _id]) expect(JSON.stringify(rows)).not.toContain(`"${name}"`);
  });

  it('comes a second time for the writes of a transaction in flight, but not before the fence', async () => {
    const ada = uniqueId();
    const { _id } = await person({ external_id: ada, email: `${ada}@example.com` });
    await deleteAndSweep(ada);
    await store.events.insert([event(_id, 'late')]);
    const key = `demo:m:${ada}@example.com`;
    await store.contacts.insertOne({
      _id: key,
      ws: 'demo',
      consents: [
        { k: 'email', v: 'opted_in', at: 1 },
        { k: 'group:g', v: 'subscribed', at: nextStamp() },
      ],
    });
    passed = false;
    await becomeDue();
    await sweeper.once();
    expect(await store.sweeps.countDocuments({ _id })).toBe(1);
    passed = true;
    await becomeDue();
    await sweeper.once();
    expect(await store.sweeps.countDocuments({ _id })).toBe(0);
    expect(await store.events.count([_id])).toBe(0);
    // Accepted after the deletion: it stays for the next owner of the email.
    expect((await store.contacts.findOne({ _id: key }))?.consents.map(({ k }) => k)).toEqual(['group:g']);
  });

  /** Rows of data integrations that failed, each in a request of that stamp. */
  const failedRows = async (named: readonly (readonly [id: string, at: number])[]) => {
    const { rows, retries } = store.syncs;
    const all = named.map(([id, at], n) => ({
      ...{ _id: `j/${n}`, ws: 'demo', integration: 'i', at, expires: new Date(Date.now() + 1e9) },
      person: store.tombstones.digestOf(identityKey('demo', { by: 'external_id', id })),
    }));
    await rows.insertMany(all.map((one) => ({ ...one, reason: 'bad', row: '{}' })));
    await retries.insertMany(all.map((one) => ({ ...one, key: 'k', entry: '{}' })));
    /** Numbers of those that are left. */
    return async () => {
      const found = await Promise.all([rows, retries].map((one) => one.find().sort({ _id: 1 }).toArray()));
      for (const collection of [rows, retries]) await collection.deleteMany({});
      return found.map((all) => all.map(({ _id }) => Number(_id.slice(2))));
    };
  };

  it('removes rows of data integrations that failed and name the person', async () => {
    const external_id = uniqueId();
    await person({ external_id });
    const left = await failedRows([
      [external_id, nextStamp()],
      ['somebody else', nextStamp()],
    ]);
    await deleteAndSweep(external_id);
    expect(await left()).toEqual([[1], [1]]);
  });

  it('removes failed rows by the names that merges took from the person, and no later ones', async () => {
    const [ada, away, again] = [uniqueId(), uniqueId(), uniqueId()];
    await people({ external_id: ada }, { external_id: away }, { external_id: again });
    const before = nextStamp();
    await apply([mergeRequest([again, away])]);
    await apply([mergeRequest([away, ada])]);
    await person({ external_id: again });
    const left = await failedRows([
      [away, before],
      [again, before],
      // It means whoever has the name by then.
      [again, nextStamp()],
      ['somebody else', before],
    ]);
    await deleteAndSweep(ada);
    expect(await left()).toEqual([
      [2, 3],
      [2, 3],
    ]);
  });

  it('removes what the person was sent, and a delivery that waits for them can end', async () => {
    const external_id = uniqueId();
    const { _id: profile } = await person({ external_id });
    const counts = { ...noCounts, waiting: 1, sending: 1, sent: 1 };
    const of = aDelivery({ channel: 'email', counts });
    const rows = (['waiting', 'sending', 'sent'] as const).map((state, n) =>
      aSend(profile, of, { _id: `d${n}/email/${profile}`, state, outbox: `{"to":"${external_id}"}` }),
    );
    await store.messages.deliveries.insertOne(of);
    await store.messages.sends.insertMany(rows);
    await deleteAndSweep(external_id);
    expect(await store.messages.sends.countDocuments({ profile })).toBe(0);
    const delivery = await store.messages.deliveries.findOne({ _id: of._id });
    expect(delivery?.counts).toEqual({ ...counts, waiting: 0, sending: 0, skipped: 1, unknown: 1 });
  });

  it('leaves the person out of the recipients of schedules and deliveries, and nobody is not everybody', async () => {
    const [ada, bob] = [uniqueId(), uniqueId()];
    await people({ external_id: ada, aliases: { web: ada } }, { external_id: bob });
    const alias = { alias_label: 'web', alias_name: ada };
    const both = await named(1, { external_user_ids: [ada, bob], user_aliases: [alias] }, nextStamp());
    const audience = { custom_attribute: { custom_attribute_name: 'x', value: 9_007_199_254_740_993n } };
    const alone = await named(2, { user_aliases: [alias], audience }, nextStamp());
    await deletePerson(ada);
    const later = { external_user_ids: [ada] };
    const afterwards = await named(3, later, nextStamp());
    await sweeper.once();
    expect(await both()).toEqual({
      recipients: { external_user_ids: ['', bob, ''] },
      listed: digestsOf([identityKey('demo', { by: 'external_id', id: bob })]),
    });
    expect(await alone()).toEqual({ recipients: { audience, external_user_ids: [''] }, listed: [] });
    // It means whoever has the name now.
    expect((await afterwards()).recipients).toEqual(later);
  });

  it('removes the rows of names that the person has got, and leaves the counts', async () => {
    const [ada, bob] = [uniqueId(), uniqueId()];
    await named(4, { external_user_ids: [ada, bob] }, nextStamp());
    const of = await store.messages.deliveries.findOne({ schedule: 'schedule-4' });
    if (!of) throw new Error('there is no delivery');
    const rows = [ada, bob].map((id, place) => ({
      ...aSend('', of, { state: 'skipped' as const, reason: 'unknown', named: `demo:e:${id}` }),
      _id: `${of._id}/~00${place}`,
    }));
    await store.messages.sends.insertMany(rows);
    await person({ external_id: ada });
    await deleteAndSweep(ada);
    const left = await store.messages.sends.find({ delivery: of._id }).toArray();
    expect(left.map((row) => row.named)).toEqual([`demo:e:${bob}`]);
    expect((await store.messages.deliveries.findOne({ _id: of._id }))?.counts).toEqual(of.counts);
  });

  it('leaves out the names that merges took from the person, unless somebody has them again', async () => {
    const [ada, away, again, marker] = [uniqueId(), uniqueId(), uniqueId(), `lost-${uniqueId()}`];
    await people(
      { external_id: ada, aliases: { web: ada } },
      { external_id: away, aliases: { web: `${marker}-web` } },
      { external_id: marker },
      { external_id: again },
    );
    const recipients = {
      external_user_ids: [away, marker, again],
      user_aliases: [{ alias_label: 'web', alias_name: `${marker}-web` }],
    };
    const before = await named(1, recipients, nextStamp());
    // The last one over another person, who is merged away in turn.
    await apply([mergeRequest([marker, ada]), mergeRequest([again, away])]);
    await apply([mergeRequest([away, ada])]);
    const between = await named(2, { external_user_ids: [marker] }, nextStamp());
    await person({ external_id: again });
    await deletePerson(ada);
    await sweepTwice();
    expect(await before()).toEqual({
      recipients: { external_user_ids: ['', '', again, ''] },
      listed: digestsOf([identityKey('demo', { by: 'external_id', id: again })]),
    });
    // The name was free: it means whoever gets it.
    expect((await between()).recipients).toEqual({ external_user_ids: [marker] });
  });

  it('leaves the person out of more schedules than come in one batch', async () => {
    const ada = uniqueId();
    await person({ external_id: ada });
    const created = nextStamp();
    const all = await Promise.all(
      Array.from({ length: 120 }, (_, n) => named(1000 + n, { external_user_ids: [ada] }, created)),
    );
    expect(all).toHaveLength(120);
    await deleteAndSweep(ada);
    const listed = digestsOf([identityKey('demo', { by: 'external_id', id: ada })]);
    expect(await store.messages.schedules.countDocuments({ listed: { $in: listed } })).toBe(0);
    expect(await store.messages.schedules.distinct('recipients')).toEqual(['{"external_user_ids":[""]}']);
    expect(await store.messages.deliveries.distinct('recipients')).toEqual(['{"external_user_ids":[""]}']);
  });

  it('removes thousands of rows, and nothing twice when it is repeated', async () => {
    const ada = uniqueId();
    const { _id } = await person({ external_id: ada });
    await store.events.insert(Array.from({ length: 2500 }, () => event(_id, 'seen')));
    await deletePerson(ada);
    await Promise.all([sweeper.once(), sweeper.once()]);
    expect(await store.events.count([_id])).toBe(0);
  });

  it('finds a letter by an identifier that the person lost before', async () => {
    const [ada, old] = [uniqueId(), uniqueId()];
    await people({ external_id: ada }, { external_id: old });
    const id = await letterOf({ events: [{ external_id: old, name: 'seen', time: 'now' }] });
    await apply([mergeRequest([old, ada])]);
    await deleteAndSweep(ada);
    expect(await letters.get(id)).toBeUndefined();
  });

  it('leaves the letters of a new person with the same id', async () => {
    const ada = uniqueId();
    await person({ external_id: ada });
    await deletePerson(ada);
    const id = await letterOf({ events: [{ external_id: ada, name: 'seen', time: 'now' }] });
    await sweeper.once();
    expect(await letters.get(id)).toBeDefined();
  });
});
