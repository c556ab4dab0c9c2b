/** What is stored under digests, while the secret of the digests is rotated: written by one process and found by the other. */

import { withSaid } from '@roster/profile';
import type { Secrets } from '@roster/secrets';
import { testMongo } from '@roster/testkit';
import { openStore, type Store } from '../connection/open-store.ts';

const [former, next] = ['the secret of before', 'the secret that comes'];
/** Past its date: for look-ups that changes nothing. */
const also = (secret: string) => [{ secret, until: new Date('2000-01-01') }];
const steps = {
  before: former,
  first: { makes: former, others: also(next) },
  second: { makes: next, others: also(former) },
  after: next,
} satisfies Record<string, Secrets>;
type Step = keyof typeof steps;

const stores = {} as Record<Step, Store>;
let close: () => Promise<void>;

beforeAll(async () => {
  const server = await testMongo();
  for (const step of Object.keys(steps) as Step[])
    stores[step] = await openStore({
      ...{ url: server.url, appName: 'test', secret: steps[step], patienceMs: 60_000, ensureIndexes: true },
      transactions: { patienceMs: 600_000, limitMs: 600_000 },
    });
  close = async () => {
    for (const store of Object.values(stores)) await store.close();
    await server.close();
  };
});
afterAll(() => close());

const ws = 'demo';
const expires = new Date('2100-01-01');
/** A key for each test, so that none finds what another one wrote. */
let made = 0;
const newKey = (kind: string): string => `${ws}:${kind}:person-${++made}`;

const neighbours: [Step, Step][] = [
  ['before', 'first'],
  ['first', 'before'],
  ['first', 'second'],
  ['second', 'first'],
  ['second', 'after'],
  ['after', 'second'],
];

const bury = (step: Step, key: string, at: number, to?: string) =>
  stores[step].tombstones.write([{ ws, key, at, expires, ...(to !== undefined && { to }) }]);
const fates = async (step: Step, key: string) => (await stores[step].tombstones.fatesOf([key])).get(key);
const documentsOf = (key: string) => {
  const _id = { $in: [former, next].flatMap((secret) => digestUnder(secret, key)) };
  return stores.before.db.collection<{ _id: string }>('tombstones').find({ _id }).toArray();
};
const digestUnder = (secret: string, key: string): string =>
  stores[secret === former ? 'before' : 'after'].tombstones.digestOf(key);

describe('a tombstone', () => {
  it.each(neighbours)('that a process %s left is found by one %s', async (one, other) => {
    const key = newKey('e');
    await bury(one, key, 10);
    expect(await fates(other, key)).toEqual([{ at: 10 }]);
  });

  it('of before the rotation is not found where the other secret is not set', async () => {
    const key = newKey('e');
    await bury('before', key, 10);
    expect(await fates('after', key)).toEqual([]);
  });

  it.each(neighbours)('of a process %s grows in a process %s, as one document', async (one, other) => {
    const key = newKey('e');
    await bury(one, key, 10, 'p1');
    await bury(other, key, 20);
    expect(await fates(one, key)).toEqual([{ at: 10, to: 'p1' }, { at: 20 }]);
    expect(await documentsOf(key)).toHaveLength(1);
  });

  it('that two processes leave at the same moment is found whole, and joined by the next one', async () => {
    const key = newKey('e');
    await Promise.all([bury('first', key, 10, 'p1'), bury('second', key, 20)]);
    for (const step of ['first', 'second'] as const)
      expect(await fates(step, key)).toEqual([{ at: 10, to: 'p1' }, { at: 20 }]);
    await bury('second', key, 30);
    expect(await fates('after', key)).toEqual([{ at: 10, to: 'p1' }, { at: 20 }, { at: 30 }]);
    expect(await documentsOf(key)).toHaveLength(1);
  });

  it('tells under which digests other things about the name may stand', async () => {
    const key = newKey('e');
    await bury('second', key, 10, 'p7');
    const found = [];
    for await (const some of stores.after.tombstones.lostBy(['p7'])) found.push(...some);
    expect(found).toEqual([next, former].map((secret) => ({ digest: digestUnder(secret, key), at: 10 })));
  });
});

describe('statements about a contact without an owner', () => {
  const said = (at: number) => withSaid([], 'email', { v: 'unsubscribed', at });
  const hide = (step: Step, key: string) =>
    stores[step].transact((session) => stores[step].contactConsents.hide(session, ws, key));
  const write = (step: Step, key: string, at: number, more: object = {}) =>
    stores[step].transact((session) =>
      stores[step].contactConsents.write(session, [{ ws, key, consents: said(at), ...more }]),
    );
  const read = async (step: Step, key: string) => (await stores[step].contactConsents.read([key])).get(key);
  const count = () => stores.before.contacts.countDocuments({ ws });

  beforeEach(() => stores.before.contacts.deleteMany({}));

  it.each(neighbours)('that a process %s hid are found by one %s', async (one, other) => {
    const key = newKey('m');
    await write(one, key, 1);
    await hide(one, key);
    expect(await read(other, key)).toEqual(said(1));
  });

  it.each(neighbours)('move to the digest of the process %s or %s that saw them last', async (one, other) => {
    const key = newKey('m');
    await write(one, key, 1);
    await hide(one, key);
    await hide(other, key);
    expect(await read(one, key)).toEqual(said(1));
    expect(await count()).toBe(1);
  });

  it('that were hidden before are forgotten with their last owner', async () => {
    const key = newKey('m');
    await write('before', key, 1);
    await hide('before', key);
    await write('second', key, 5, { isErased: true });
    expect(await count()).toBe(1);
    expect(await read('before', key)).toEqual(said(5));
  });
});

describe('the name of an erased person in a schedule', () => {
  const listed = async (step: Step, id: string) => {
    const { models, tombstones } = stores[step];
    const _id = `schedule-${++made}`;
    await models.schedules.insertOne({
      ...{ _id, ws, dispatch: _id, recipients: JSON.stringify({ external_user_ids: [id, 'other'] }) },
      ...{ listed: [tombstones.digestOf(`${ws}:e:${id}`)], messages: '{}', size: 0, state: 'waiting' },
      ...{ time: '2027-01-01T00:00:00.000Z', created: 5, changed: 5 },
    });
    return async () => (await models.schedules.findOne({ _id }))?.recipients;
  };
  const erase = (step: Step, id: string, keys: string[]) =>
    stores[step].eraseRecipients({ ws, profiles: [id], keys, upTo: 10 }, JSON, () => {});
  const without = JSON.stringify({ external_user_ids: ['', 'other'] });

  it.each(neighbours)('that a process %s listed is removed by one %s', async (one, other) => {
    const id = `listed-${++made}`;
    const recipients = await listed(one, id);
    await erase(other, id, [`${ws}:e:${id}`]);
    expect(await recipients()).toBe(without);
  });

  it('is removed by a name too that the person lost after the rotation began', async () => {
    const id = `renamed-${++made}`;
    const recipients = await listed('before', id);
    await bury('second', `${ws}:e:${id}`, 8, id);
    await erase('second', id, []);
    expect(await recipients()).toBe(without);
  });
});

it.each(neighbours)(
  'the proof of an erased person that a process %s kept is found by one %s',
  async (one, other) => {
    const id = `proven-${++made}`;
    const history = [{ k: 'email', from: null, to: 'opted_in' as const, at: 5, n: 0 }];
    const proven = { ws, profiles: [id], keys: [`${ws}:e:${id}`], history };
    await stores[one].transact((session) => stores[one].consentHistory.prove(session, [proven]));
    const found = await stores[other].consentHistory.find(ws, { by: 'external_id', id });
    expect(found).toMatchObject([{ to: 'opted_in', at: 5 }]);
  },
);
