import { createReplies } from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import { fateAt, identityKey, type Profile } from '@roster/profile';
import { classify } from '@roster/store';
import { claimKeysOf, serviceId } from '@roster/testkit';
import { type Applied, createApply, type Entries } from './apply.ts';
import { resultOf } from './operations.ts';
import {
  event,
  mergeRequest,
  merging,
  nextStamp,
  request,
  sayOf,
  takeStamp,
  uniqueId,
  useIdentity,
} from './testbed.ts';
import { withoutTransaction } from './without-protection.ts';

const { store, apply, people, person, send } = useIdentity();

const applied = async (...sent: AcceptedRequest[]): Promise<(Entries | undefined)[]> =>
  (await apply(sent)).map((one) => one?.entries);

const { applied: replyTo } = createReplies(resultOf);

const answerTo = async (sent: AcceptedRequest): Promise<unknown> =>
  JSON.parse((await replyTo(sent, (await apply([sent]))[0] as Applied)).body);

/** The worker does the same after conflicts that do not end. */
const patiently = async <Done>(work: () => Promise<Done>, tries = 20): Promise<Done> => {
  try {
    return await work();
  } catch (error) {
    if (tries === 0 || !['passing', 'duplicate'].includes(classify(error))) throw error;
    return patiently(work, tries - 1);
  }
};

const byId = (id: string) => identityKey('demo', { by: 'external_id', id });
const byAlias = (label: string, name: string) => identityKey('demo', { by: 'user_alias', label, name });
const byServiceId = (id: string) => identityKey('demo', { by: 'service_id', id });

const ownerOf = async (_id: string): Promise<Profile | null> => {
  const claim = await store.identities.findOne({ _id });
  return claim && store.profiles.findOne({ _id: claim.profile });
};
const ofExternalId = (id: string) => ownerOf(byId(id));
const ofAlias = (label: string, name: string) => ownerOf(byAlias(label, name));

/** Every claim leads to a profile with this identifier, and every identifier of a profile has a claim. */
const expectConsistent = async (): Promise<void> => {
  const profiles = await store.profiles.find({}).toArray();
  const claims = await store.identities.find({}).toArray();
  const said = profiles.flatMap((profile) => claimKeysOf(profile).map((key) => `${key} ${profile._id}`));
  const kept = claims
    .filter(({ _id }) => /^demo:[ea]:/.test(_id))
    .map(({ _id, profile }) => `${_id} ${profile}`);
  expect(kept.toSorted()).toEqual(said.toSorted());
};
afterEach(expectConsistent);

const fate = async (key: string, at: number) => {
  const fates = await store.tombstones.fatesOf([key]);
  return fateAt(fates.get(key) ?? [], at);
};

describe('users.alias.new', () => {
  it('adds an alias to the person who has the external id', async () => {
    const ada = uniqueId();
    await person({ external_id: ada });
    const sent = request('users.alias.new', {
      user_aliases: [{ external_id: ada, alias_label: 'crm', alias_name: ada }],
    });
    expect(await answerTo(sent)).toEqual({ aliases_processed: 1, message: 'success' });
    expect((await ofAlias('crm', ada))?.external_id).toBe(ada);
  });

  it('creates a person with only the alias, once', async () => {
    const name = uniqueId();
    const body = { user_aliases: [{ alias_label: 'web', alias_name: name }] };
    expect(await send('users.alias.new', body)).toEqual({ user_aliases: ['created'] });
    expect(await answerTo(request('users.alias.new', body))).toEqual({
      aliases_processed: 1,
      message: 'success',
    });
    expect(await store.profiles.countDocuments({ 'aliases.name': name })).toBe(1);
  });

  it('repeated, is accepted, whatever happened to the person; but not once the person has an external id', async () => {
    const [name, ada] = [uniqueId(), uniqueId()];
    const body = { user_aliases: [{ alias_label: 'web', alias_name: name }] };
    await person({ aliases: { web: name, crm: name }, email: `${name}@example.com` });
    expect(await send('users.alias.new', body)).toEqual({ user_aliases: ['updated'] });
    await send('users.identify', {
      aliases_to_identify: [{ external_id: ada, user_alias: body.user_aliases[0] }],
    });
    const withId = { user_aliases: [{ external_id: ada, ...body.user_aliases[0] }] };
    expect(await send('users.alias.new', withId)).toEqual({ user_aliases: ['updated'] });
    expect(await answerTo(request('users.alias.new', body))).toEqual({
      aliases_processed: 0,
      message: 'success',
      errors: [
        {
          type: "'alias_name' is already in use under this 'alias_label'",
          code: 'ALIAS_NAME_TAKEN',
          input_array: 'user_aliases',
          index: 0,
        },
      ],
    });
  });

  it('creates one person when forty ask for it at once', async () => {
    const name = uniqueId();
    const all = Array.from({ length: 40 }, () =>
      request('users.alias.new', { user_aliases: [{ alias_label: 'web', alias_name: name }] }),
    );
    const results = await Promise.all(
      all.map(async (one) => (await patiently(() => apply([one])))[0]?.entries.user_aliases?.[0]),
    );
    expect(results.filter((result) => result === 'created')).toHaveLength(1);
    expect(results.filter((result) => result === 'updated')).toHaveLength(39);
    expect(await store.profiles.countDocuments({ 'aliases.name': name })).toBe(1);
  });
});

describe('users.alias.update', () => {
  it('gives the alias another name; earlier requests still find the person by the old one', async () => {
    const [from, to] = [uniqueId(), uniqueId()];
    const { _id } = await person({ aliases: { web: from } });
    const before = nextStamp();
    const sent = request('users.alias.update', {
      alias_updates: [{ alias_label: 'web', old_alias_name: from, new_alias_name: to }],
    });
    expect(await answerTo(sent)).toEqual({ aliases_processed: 1, message: 'success' });
    expect(await ofAlias('web', from)).toBeNull();
    expect((await ofAlias('web', to))?._id).toBe(_id);
    const key = byAlias('web', from);
    expect(await fate(key, before)).toMatchObject({ to: _id });
    expect(await fate(key, nextStamp())).toBeUndefined();
  });
});

describe('users.identify', () => {
  const naming = (external_id: string, alias_name: string, more = {}) => ({
    aliases_to_identify: [{ external_id, user_alias: { alias_label: 'web', alias_name } }],
    ...more,
  });
  const identify = (...named: Parameters<typeof naming>) => send('users.identify', naming(...named));

  it('gives the external id to the alias user when it has no owner', async () => {
    const [ada, name] = [uniqueId(), uniqueId()];
    const { _id } = await person({ aliases: { web: name } });
    expect(await identify(ada, name)).toEqual({ aliases_to_identify: ['updated'] });
    expect((await ofExternalId(ada))?._id).toBe(_id);
  });

  it('with none takes over the alias, push tokens and message history, and nothing else', async () => {
    const [ada, name] = [uniqueId(), uniqueId()];
    const list = (k: string) => ({ items: [{ k, v: { name: k }, at: 1 }] });
    const [kept, other] = await people(
      { external_id: ada },
      {
        aliases: { web: name },
        more: {
          fields: { first_name: { v: 'Anon', at: 1 } },
          custom: [{ k: 'colour', v: 'red', at: 1 }],
          lists: { push_tokens: list('t'), campaigns_received: list('c'), apps: list('app') },
        },
      },
    );
    await store.events.insert([event(other._id, 'seen')]);
    expect(await identify(ada, name)).toEqual({ aliases_to_identify: ['updated'] });
    const after = await ofAlias('web', name);
    expect(after?._id).toBe(kept._id);
    expect(Object.keys(after?.lists ?? {}).toSorted()).toEqual(['campaigns_received', 'push_tokens']);
    expect(after).toMatchObject({ fields: {}, custom: [] });
    expect(after?.absorbed).toBeUndefined();
    expect(await store.profiles.findOne({ _id: other._id })).toBeNull();
    expect(await store.sweeps.findOne({ _id: other._id })).toMatchObject({ profiles: [other._id], keys: [] });
  });

  it('with none names the values left behind', async () => {
    const [ada, name] = [uniqueId(), uniqueId()];
    const at = 1;
    await people(
      { external_id: ada, aliases: { crm: ada }, email: `${ada}@example.com` },
      {
        aliases: { web: name, crm: name },
        email: `${name}@example.com`,
        more: {
          custom: [{ k: 'colour', v: 'blue', at }],
          lists: {
            devices: { items: [{ k: 'd', v: { device_id: 'd' }, at }] },
            push_tokens: { items: [{ k: '1:a:t', v: { app_id: 'a', token: 't' }, at }] },
          },
        },
      },
    );
    const [applied] = await apply([request('users.identify', naming(ada, name))]);
    expect(applied?.notes).toEqual(
      [
        { field: 'user_aliases.crm', reason: 'label_taken' },
        { field: 'email', reason: 'not_merged' },
        { field: 'colour', reason: 'not_merged' },
        { field: 'devices', reason: 'not_merged' },
      ].map((note) => ({ input_array: 'aliases_to_identify', index: 0, ...note })),
    );
  });

  it('names emails that do not identify a person', async () => {
    const [ada, name] = [uniqueId(), uniqueId()];
    await person({ aliases: { web: name } });
    const more = { email_addresses: ['a@example.com', 'b@example.com'] };
    const [applied] = await apply([request('users.identify', naming(ada, name, more))]);
    const note = (index: number) => ({ input_array: 'email_addresses', index, reason: 'not_used' });
    expect(applied).toMatchObject({
      entries: { aliases_to_identify: ['updated'] },
      notes: [note(0), note(1)],
    });
  });

  it('takes the person that the prioritization leaves, and none when it leaves several', async () => {
    const [ada, bob] = [uniqueId(), uniqueId()];
    const email = `${ada}@example.com`;
    const [, second] = await people({ email }, { email });
    const by = (external_id: string, prioritization: string[]) => ({
      emails_to_identify: [{ external_id, email: email.toUpperCase(), prioritization }],
    });
    expect(await send('users.identify', by(bob, ['unidentified']))).toEqual({
      emails_to_identify: ['ignored:more_than_one_match'],
    });
    expect(await send('users.identify', by(ada, ['unidentified', 'most_recently_updated']))).toEqual({
      emails_to_identify: ['updated'],
    });
    expect((await ofExternalId(ada))?._id).toBe(second._id);
  });

  it('counts the last event for the last update, also one of an absorbed profile', async () => {
    const ada = uniqueId();
    const email = `${ada}@example.com`;
    const [first] = await people({ email, more: { absorbed: [serviceId(`old-${ada}`)] } }, { email });
    await store.events.insert([event(serviceId(`old-${ada}`), 'seen')]);
    await send('users.identify', {
      emails_to_identify: [{ external_id: ada, email, prioritization: ['most_recently_updated'] }],
    });
    expect((await ofExternalId(ada))?._id).toBe(first._id);
  });
});

describe('users.merge', () => {
  const merge = async (...pairs: [string, string][]): Promise<unknown> =>
    (await applied(mergeRequest(...pairs)))[0]?.merge_updates;

  it('moves missing values, the claims, and the right to the events', async () => {
    const [ada, old] = [uniqueId(), uniqueId()];
    const [kept, away] = await people(
      { external_id: ada, aliases: { crm: ada }, more: { fields: { first_name: { v: 'Ada', at: 5 } } } },
      {
        external_id: old,
        aliases: { crm: old, web: old },
        more: {
          fields: { first_name: { v: 'Old', at: 9 }, last_name: { v: 'L', at: 1 } },
          former_ids: [`f-${old}`],
        },
      },
    );
    const before = nextStamp();
    expect(await merge([old, ada])).toEqual(['updated']);
    const after = await ofExternalId(ada);
    expect(after).toMatchObject({
      _id: kept._id,
      external_id: ada,
      aliases: [
        { label: 'crm', name: ada },
        { label: 'web', name: old },
      ],
      absorbed: [away._id],
      fields: { first_name: { v: 'Ada' }, last_name: { v: 'L' } },
    });
    expect(after).not.toHaveProperty('former_ids');
    for (const id of [old, `f-${old}`]) expect(await ofExternalId(id)).toBeNull();
    for (const key of [byId(`f-${old}`), byId(old), byAlias('crm', old)])
      expect(await fate(key, before)).toMatchObject({ to: away._id });
    expect(await fate(byServiceId(away._id), before)).toMatchObject({ to: kept._id });
  });

  it('names the values left behind in the outcome, and no value that came over or is the same', async () => {
    const [ada, old] = [uniqueId(), uniqueId()];
    const at = 1;
    const custom = (k: string, v: string) => ({ k, v, at });
    const cards = (who: string) =>
      Array.from({ length: 2000 }, (_, n) => ({ k: `${who}${n}`, v: { name: `${who}${n}` }, at }));
    await people(
      {
        external_id: ada,
        aliases: { crm: ada },
        more: {
          fields: { first_name: { v: 'Ada', at }, country: { v: 'GB', at }, dob: { v: null, at } },
          custom: [custom('colour', 'red'), custom('size', 'L')],
          lists: { cards_clicked: { items: cards('a') } },
        },
      },
      {
        external_id: old,
        aliases: { crm: old, web: old },
        more: {
          fields: {
            first_name: { v: 'Old', at },
            country: { v: 'GB', at },
            dob: { v: '1815-12-10', at },
            last_name: { v: 'L', at },
            date_of_last_session: { v: '2020-01-01T00:00:00.000Z', at },
          },
          custom: [custom('colour', 'blue'), custom('size', 'L'), custom('shape', 'round')],
          lists: { cards_clicked: { items: cards('b') } },
        },
      },
    );
    const sent = mergeRequest([ada, ada], [old, ada]);
    const notes = [
      { field: 'external_id', reason: 'kept_other' },
      { field: 'user_aliases.crm', reason: 'label_taken' },
      { field: 'first_name', reason: 'kept_other' },
      { field: 'colour', reason: 'kept_other' },
      { field: 'cards_clicked', reason: 'list_full' },
    ].map((note) => ({ input_array: 'merge_updates', index: 1, ...note }));
    expect(await answerTo(sent)).toMatchObject({ state: 'applied', notes });
    expect((await store.outcomes.read('demo', sent.id))?.notes).toEqual(notes);
    expect(await answerTo(sent)).toMatchObject({ notes });
  });

  it('names no more than a thousand of them, and says how many more there are', async () => {
    const [ada, old] = [uniqueId(), uniqueId()];
    const many = (v: string) => ({
      custom: Array.from({ length: 1500 }, (_, n) => ({ k: `n${n}`, v, at: 1 })),
    });
    await people({ external_id: ada, more: many('x') }, { external_id: old, more: many('y') });
    const [applied] = await apply([mergeRequest([old, ada])]);
    expect(applied?.notes).toHaveLength(1001);
    expect(applied?.notes?.at(-1)).toMatchObject({ reason: 'more_notes', count: 501 });
  });

  it('remembers the former owner of the moved identifiers, and the time of the move', async () => {
    const [ada, old] = [uniqueId(), uniqueId()];
    const [, away] = await people({ external_id: ada }, { external_id: old, aliases: { web: old } });
    const before = nextStamp();
    await merge([old, ada]);
    const key = byAlias('web', old);
    expect(await fate(key, before)).toMatchObject({ to: away._id });
    const owner = (await store.ownersOf([key])).get(key);
    expect(owner).toMatchObject({ at: away.created_at, moved: (await fate(key, before))?.at });
  });

  it('counts the activity of a person merged in before in the same batch', async () => {
    const [ada, active, other] = [uniqueId(), uniqueId(), uniqueId()];
    const email = `${ada}@example.com`;
    const [quiet, busy, changed] = await people(
      { external_id: other, email },
      { external_id: active },
      { email },
      { external_id: ada },
    );
    // Later than the merge, which is a change too: only the event makes the other person the last one with the email.
    const [later, latest] = [nextStamp() + 1e9, nextStamp() + 2e9];
    await store.profiles.updateOne({ _id: changed._id }, { $set: { updated_at: later } });
    await store.events.insert([event(busy._id, 'seen', latest)]);
    const entries = await send('users.merge', {
      merge_updates: [
        merging(active, other),
        {
          identifier_to_merge: { email, prioritization: ['most_recently_updated'] },
          identifier_to_keep: { external_id: ada },
        },
      ],
    });
    expect(entries).toEqual({ merge_updates: ['updated', 'updated'] });
    expect((await ofExternalId(ada))?.absorbed).toEqual([quiet._id, busy._id]);
  });

  it.each([2, 3, 50])('leaves one of a cycle of %i, with all the others in it', async (length) => {
    const ids = Array.from({ length }, uniqueId);
    const all = await people(...ids.map((external_id) => ({ external_id })));
    await merge(...ids.map((id, index): [string, string] => [id, ids[(index + 1) % length] as string]));
    const left = await store.profiles.find({ _id: { $in: all.map(({ _id }) => _id) } }).toArray();
    expect(left).toHaveLength(1);
    expect([left[0]?._id, ...(left[0]?.absorbed ?? [])].toSorted()).toEqual(
      all.map(({ _id }) => _id).toSorted(),
    );
  });

  it('follows a chain of fifty in any order; a late request is led straight to its end', async () => {
    const ids = Array.from({ length: 51 }, uniqueId);
    const all = await people(...ids.map((external_id) => ({ external_id })));
    const links = ids.slice(1).map((id, index): [string, string] => [ids[index] as string, id]);
    const before = nextStamp();
    // The last link first: each merge makes the chain longer by one tombstone.
    const shuffled = links.toSorted(
      (a, b) => ((a[0].charCodeAt(8) * 7) % 5) - ((b[0].charCodeAt(8) * 7) % 5),
    );
    for (const half of [shuffled.slice(0, 25), shuffled.slice(25)]) await merge(...half);
    const left = await store.profiles.find({ _id: { $in: all.map(({ _id }) => _id) } }).toArray();
    const held = left.flatMap(({ _id, absorbed = [] }) => [_id, ...absorbed]);
    expect(held.toSorted()).toEqual(all.map(({ _id }) => _id).toSorted());
    const living = new Set(left.map(({ _id }) => _id));
    for (const { _id } of all.filter((one) => !living.has(one._id))) {
      const found = await fate(byServiceId(_id), before);
      expect(living.has(found?.to ?? '')).toBe(true);
    }
  });

  it('loses no person and no value when crossing merges come at once', async () => {
    const ids = Array.from({ length: 6 }, uniqueId);
    const all = await people(
      ...ids.map((external_id) => ({
        external_id,
        more: { lists: { apps: { items: [{ k: 'app', v: { sessions: 1 }, at: 1 }] } } },
      })),
    );
    const pairs = ids.flatMap((a) => ids.filter((b) => b !== a).map((b): [string, string] => [a, b]));
    await Promise.all(pairs.map((pair) => patiently(() => merge(pair))));
    const left = await store.profiles.find({ _id: { $in: all.map(({ _id }) => _id) } }).toArray();
    expect(left).toHaveLength(1);
    expect(left[0]?.lists.apps?.items[0]?.v.sessions).toBe(6);
  });

  it('without the transaction, crossing merges lose people: the tests would notice', async () => {
    const careless = createApply({ store, takeStamp, transact: withoutTransaction });
    let lost = 0;
    for (let round = 0; round < 20; round++) {
      const [a, b] = [uniqueId(), uniqueId()];
      const both = await people({ external_id: a }, { external_id: b });
      await Promise.allSettled([careless([mergeRequest([a, b])]), careless([mergeRequest([b, a])])]);
      const ids = both.map(({ _id }) => _id);
      const left = await store.profiles.find({ _id: { $in: ids } }).toArray();
      if (left.length === 0) lost += 1;
      await store.profiles.deleteMany({ _id: { $in: ids } });
      await store.identities.deleteMany({ profile: { $in: ids } });
    }
    expect(lost).toBeGreaterThan(0);
  });
});

describe('users.delete', () => {
  const deletionBy = (email: string) =>
    request('users.delete', { email_addresses: [{ email, prioritization: ['identified'] }] });

  it('leaves nothing that could find the person, only digests', async () => {
    const ada = uniqueId();
    const email = `${ada}@example.com`;
    const profile = await person({ external_id: ada, aliases: { web: ada }, email, phone: '+4930901820' });
    const key = await sayOf(store, email);
    await store.identities.insertOne({ _id: key, profile: 'the first owner', at: 1 });
    const before = nextStamp();
    const sent = request('users.delete', { external_ids: [ada, uniqueId()] });
    expect(await answerTo(sent)).toEqual({ deleted: 2, message: 'success' });
    expect(await store.outcomes.read('demo', sent.id)).toMatchObject({
      entries: { external_ids: ['updated', 'ignored:no_such_user'] },
    });
    expect(await store.profiles.findOne({ _id: profile._id })).toBeNull();
    for (const name of ['identities', 'contacts', 'tombstones', 'requests'] as const) {
      const all = await store.db.collection(name).find({}).toArray();
      expect(JSON.stringify(all)).not.toContain(`${ada}"`);
      expect(JSON.stringify(all)).not.toContain(email);
    }
    for (const one of [
      ...claimKeysOf(profile),
      byServiceId(profile._id),
      key,
      identityKey('demo', { by: 'phone', phone: '+4930901820' }),
    ])
      expect(await fate(one, before)).toEqual({ at: expect.any(Number) });
  });

  it('leaves statements about an email to others who have it', async () => {
    const [ada, bob] = [uniqueId(), uniqueId()];
    const email = `${ada}@example.com`;
    await people({ external_id: ada, email }, { external_id: bob, email });
    const key = await sayOf(store, email);
    await send('users.delete', { external_ids: [ada] });
    expect(await fate(key, 1)).toBeUndefined();
    expect(await store.contacts.findOne({ _id: key })).not.toBeNull();
  });

  it.each([
    ['after the deletion was accepted: it stays', 1, false],
    ['before the deletion was accepted: it goes', -1, true],
  ])('statements about an email that a person left %s', async (_, later, goes) => {
    const [ada, bob] = [uniqueId(), uniqueId()];
    const email = `${ada}@example.com`;
    const [first, accepted] = [nextStamp(), nextStamp() + 500];
    const left = accepted + later;
    const contacts = [
      { c: 'email' as const, v: email, at: first },
      { c: 'email' as const, v: null, at: left },
    ];
    await people(
      { external_id: ada, email, more: { created_at: first } },
      { external_id: bob, more: { contacts, contacts_at: left, updated_at: left } },
    );
    const key = await sayOf(store, email);
    // Hers since the first stamp, by her email field.
    await store.profiles.updateOne({ external_id: ada }, { $set: { 'fields.email.at': first } });
    await apply([request('users.delete', { external_ids: [ada] }, accepted)]);
    expect((await store.contacts.findOne({ _id: key })) === null).toBe(goes);
  });

  it.each([
    ['external id', (p: Profile) => ({ external_ids: [p.external_id] })],
    ['former external id', (p: Profile) => ({ external_ids: p.former_ids })],
    ['alias', (p: Profile) => ({ user_aliases: [{ alias_label: 'web', alias_name: p.aliases?.[0]?.name }] })],
    ['service id', (p: Profile) => ({ service_ids: [p._id] })],
    [
      'email',
      (p: Profile) => ({ email_addresses: [{ email: p.email_key, prioritization: ['identified'] }] }),
    ],
    [
      'phone',
      (p: Profile) => ({
        phone_numbers: [{ phone: p.phone_key, prioritization: ['unidentified', 'most_recently_updated'] }],
      }),
    ],
  ])('finds people by %s', async (_, body) => {
    const ada = uniqueId();
    const profile = await person({
      external_id: ada,
      aliases: { web: ada },
      email: `${ada}@example.com`,
      phone: '+4930901833',
      more: { former_ids: [`f-${ada}`] },
    });
    await send('users.delete', body(profile));
    expect(await store.profiles.findOne({ _id: profile._id })).toBeNull();
  });

  it('by an older request that comes late does not touch a new person with the same id', async () => {
    const ada = uniqueId();
    await person({ external_id: ada });
    const late = request('users.delete', { external_ids: [ada] });
    await send('users.delete', { external_ids: [ada] });
    await person({ external_id: ada });
    const [entries] = await applied(late);
    expect(entries).toEqual({ external_ids: ['ignored:deleted'] });
    expect(await ofExternalId(ada)).not.toBeNull();
  });

  it('does not touch a person who got the email or phone later', async () => {
    const ada = uniqueId();
    const [email, phone] = [`${ada}@example.com`, '+4930901821'];
    const old = await person({ external_id: ada, email, phone });
    const late = deletionBy(email);
    const lateByPhone = request('users.delete', {
      phone_numbers: [{ phone, prioritization: ['unidentified'] }],
    });
    await send('users.delete', { service_ids: [old._id] });
    const next = await person({ external_id: uniqueId(), email, phone });
    expect(await applied(late, lateByPhone)).toEqual([
      { email_addresses: ['ignored:no_such_user'] },
      { phone_numbers: ['ignored:no_such_user'] },
    ]);
    // The owner from before the deletion is meant, however many came later.
    const again = deletionBy(email);
    const later = await person({ external_id: uniqueId(), email });
    expect(await applied(again)).toEqual([{ email_addresses: ['updated'] }]);
    expect(await store.profiles.findOne({ _id: next._id })).toBeNull();
    expect(await store.profiles.findOne({ _id: later._id })).not.toBeNull();
  });

  it('does so although they sent it again since', async () => {
    const ada = uniqueId();
    const [email, since] = [`${ada}@example.com`, nextStamp()];
    const sent = deletionBy(email);
    const again = { v: email, at: nextStamp(), since };
    await person({ external_id: ada, email, more: { fields: { email: again } } });
    expect(await applied(sent)).toEqual([{ email_addresses: ['updated'] }]);
  });

  it('does not touch a person who has left the email since: their request was sent at the same moment, and comes before it', async () => {
    const ada = uniqueId();
    const [email, other, joined] = [`${ada}@example.com`, `other-${ada}@example.com`, nextStamp()];
    const late = deletionBy(email);
    const left = nextStamp();
    const contacts = [
      { c: 'email' as const, v: email, at: joined },
      { c: 'email' as const, v: other, at: left },
    ];
    const fields = { email: { v: other, at: left, other: joined } };
    await person({ external_id: ada, email: other, more: { fields, contacts } });
    expect(await applied(late)).toEqual([{ email_addresses: ['ignored:no_such_user'] }]);
    expect(await ofExternalId(ada)).not.toBeNull();
  });

  it('sent twice at once, deletes once', async () => {
    const ada = uniqueId();
    await person({ external_id: ada });
    const results = await Promise.all(
      Array.from({ length: 8 }, () => patiently(() => send('users.delete', { external_ids: [ada] }))),
    );
    expect(results.filter(({ external_ids }) => external_ids?.[0] === 'updated')).toHaveLength(1);
  });
});

describe('external ids', () => {
  it('a renamed id leads to the person until it is removed', async () => {
    const [ada, next] = [uniqueId(), uniqueId()];
    const { _id } = await person({ external_id: ada });
    const sent = request('users.external_ids.rename', {
      external_id_renames: [
        { current_external_id: ada, new_external_id: next },
        { current_external_id: ada, new_external_id: uniqueId() },
        { current_external_id: next, new_external_id: ada },
        { current_external_id: next, new_external_id: next },
        { current_external_id: uniqueId(), new_external_id: uniqueId() },
        { current_external_id: next },
      ],
    });
    expect(await answerTo(sent)).toEqual({
      external_ids: [{ current_external_id: ada, new_external_id: next }],
      rename_errors: [
        [1, 'current_external_id is a deprecated external id'],
        [2, 'new_external_id is already in use'],
        [3, 'new_external_id must differ from current_external_id'],
        [4, 'current_external_id is not in use'],
        [5, "'new_external_id' is required"],
      ],
      message: 'success',
    });
    expect(await ofExternalId(ada)).toMatchObject({ _id, external_id: next, former_ids: [ada] });
    const removal = request('users.external_ids.remove', { external_ids: [ada, next, uniqueId()] });
    expect(await answerTo(removal)).toEqual({
      removed_ids: [ada],
      removal_errors: [
        [1, 'external_id is a primary external id, only deprecated ones can be removed'],
        [2, 'external_id is not in use'],
      ],
      message: 'success',
    });
    expect(await ofExternalId(ada)).toBeNull();
    expect((await ofExternalId(next))?.former_ids).toBeUndefined();
  });
});
