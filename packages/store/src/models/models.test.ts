import { inspect } from 'node:util';
import { useStore } from '@roster/testkit';
import { classify, isEnded } from '../connection/classify.ts';
import { openStore } from '../connection/open-store.ts';
import type { PreferenceCenterDocument } from './content.ts';
import type { DashboardUserDocument } from './dashboard.ts';
import type { IntegrationDocument } from './integrations.ts';
import type { ScheduleDocument } from './messages.ts';
import { collectionNames } from './models.ts';

const store = useStore({ open: openStore, forEach: true });

const center: PreferenceCenterDocument = {
  ...{ _id: 'c', ws: 'demo', name: 'n', title: '', page: '', confirmation: '', state: 'draft' },
  options: { links: [{ rel: 'icon', type: 'image/png', href: '/a' }], scripts: true },
  ...{ includes: [], created: 1_763_000_000_000_000, edited: 2.5 },
};
const user: DashboardUserDocument = {
  ...{ _id: 'u', company: 'acme', at: 1, changed: 2, rev: 1, userName: 'A', active: true },
  ...{ emails: [{ value: 'a@b.co', type: 'work' }], name: { familyName: 'B' }, signed_in: new Date(5) },
  permissions: { company: [], roles: [], workspaces: [{ id: 'w', permissions: ['x'], sets: [], teams: [] }] },
};
const schedule: ScheduleDocument = {
  ...{ _id: 's', ws: 'demo', recipients: '{}', time: 'now', created: 1, dispatch: 'd', messages: '{}' },
  ...{ size: 2, broadcast: true, state: 'waiting', due: new Date(7), changed: 1 },
};
const integration: IntegrationDocument = {
  ...{ _id: 'i', ws: 'demo', name: 'n', data: 'events', contacts: 'a@b.co', warehouse: 'mysql' },
  ...{ settings: '{}', state: 'draft', created: 1, changed: 1 },
};

describe('a write through a model', () => {
  it('stores what was written, and nothing besides', async () => {
    const { models, preferenceCenters, dashboard, messages, syncs } = store;
    await models.preference_centers.insertOne(center);
    await models.dashboard_users.insertOne(user);
    await models.schedules.insertOne(schedule);
    await models.integrations.insertOne(integration);
    expect(await preferenceCenters.findOne({})).toStrictEqual(center);
    expect(await dashboard.users.findOne({})).toStrictEqual(user);
    expect(await messages.schedules.findOne({})).toStrictEqual(schedule);
    expect(await syncs.integrations.findOne({})).toStrictEqual(integration);
    const { name: _, ...later } = { ...user, rev: 2, emails: [] };
    await models.dashboard_users.replaceOne({ _id: 'u' }, later);
    expect(await dashboard.users.findOne({})).toStrictEqual(later);
  });

  it.each([
    ['an unknown member', { ...schedule, color: 'red' }, 'color'],
    ['a value of another type', { ...schedule, size: '2' }, 'size (Number)'],
    ['null for a member that may be absent', { ...schedule, due: null }, 'due (allowNull)'],
    ['a word that is none of its words', { ...schedule, state: 'lost' }, 'state (enum)'],
    ['false for a mark', { ...schedule, broadcast: false }, 'broadcast (user defined)'],
    ['a document without a member that is always there', { _id: 's' }, 'size (required)'],
  ])('is refused with %s', async (_what, document, expected) => {
    await expect(store.models.schedules.insertOne(document as never)).rejects.toThrow(expected);
    await expect(store.models.schedules.replaceOne({ _id: 's' }, document as never)).rejects.toThrow(
      expected,
    );
    expect(await store.messages.schedules.countDocuments()).toBe(0);
  });

  it.each([
    ['an unknown member', { $set: { color: 'red' } }, 'color (unknown)'],
    ['a value of another type', { $set: { size: '2' } }, 'size (Number)'],
    ['a word that is none of its words', { $set: { state: 'lost' } }, 'state (enum)'],
    ['no member that is always there', { $unset: { size: 1 } }, 'size (required)'],
  ])('is refused as an update to %s', async (_what, update, expected) => {
    await store.models.schedules.insertOne(schedule);
    await expect(store.models.schedules.updateOne({ _id: 's' }, update as never)).rejects.toThrow(expected);
    expect(await store.messages.schedules.findOne({})).toStrictEqual(schedule);
  });

  it('is refused in words without the values: they are logged', async () => {
    const refused = await store.models.schedules
      .insertOne({ ...schedule, size: 'ada@b.co', state: 'ada@b.co' } as never)
      .catch((error: unknown) => error);
    expect(inspect(refused, { depth: 9 })).not.toContain('ada@b.co');
    expect(classify(refused)).toBe('permanent');
  });

  it('belongs to its transaction, and ends with it', async () => {
    const stopped = new Error('stopped');
    const written = store.transact(async (session) => {
      await store.models.schedules.insertOne(schedule, { session });
      throw stopped;
    });
    await expect(written).rejects.toBe(stopped);
    expect(await store.messages.schedules.countDocuments()).toBe(0);
    const error = await store
      .transact(async (session) => {
        session.hasEnded = true;
        await store.models.schedules.insertOne(schedule, { session });
      })
      .catch((caught: unknown) => caught);
    expect(isEnded(error)).toBe(true);
  });

  it('keeps a record whole: names in it with dots and dollars, empty objects, long numbers', async () => {
    const record = {
      ...{ id: 'w', ws: 'demo', $c: { 'd.e': { $f: [] } }, empty: {}, none: null, type: 'x' },
      ...{ list: [{ a: {} }, []], long: { v: 2n ** 60n }, limits: { track: { requests: 1 } }, errors: 1 },
    };
    await store.workspaces.put(record);
    expect(await store.workspaces.get('w')).toStrictEqual(record);
    await store.workspaces.put({ id: 'w', ws: 'demo' });
    expect(await store.workspaces.get('w')).toStrictEqual({ id: 'w', ws: 'demo' });
  });
});

describe('the models', () => {
  it('are on the collections of their names, and make nothing by themselves', async () => {
    for (const name of collectionNames) {
      const { collection, schema } = store.models[name];
      expect(collection.collectionName).toBe(name);
      expect(schema.options).toMatchObject({ autoCreate: false, autoIndex: false, bufferCommands: false });
    }
  });
});
