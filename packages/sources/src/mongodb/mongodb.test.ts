import { foreignMongo } from '@roster/testkit';
import { Decimal128, Long, MongoClient, ObjectId, UUID } from 'mongodb';
import type { ServerSettings } from '../settings.ts';
import {
  expectKeys,
  expectNoneMissedOrRepeated,
  itReadsByKey,
  itReadsInOrder,
  itTellsRepeatedKeys,
  openTable,
  type Person,
  readAll,
} from '../testbed.ts';

describe('MongoDB', () => {
  let admin: MongoClient;
  let url = '';
  const open = (more: Partial<ServerSettings> = {}) => openTable({ kind: 'mongodb', url, ...more });
  const collection = (name: string) => admin.db().collection(name);
  const fill = async (people: readonly Person[]) => {
    await collection('people').deleteMany({});
    await collection('people').insertMany(
      people.map(({ at, ...rest }) => ({ ...rest, updated_at: new Date(at) })),
    );
  };

  beforeAll(async () => {
    url = foreignMongo();
    admin = new MongoClient(url);
  });
  afterAll(async () => {
    await admin.db().dropDatabase();
    await admin.close();
  });

  describe('as any source', () => {
    itTellsRepeatedKeys({ fill, open });
    itReadsInOrder({ fill, open });
  });

  describe('by its keys', () => {
    const byKey = (more: Partial<ServerSettings> = {}) => open({ ...more, updatedAt: undefined });
    itReadsByKey({ fill, open: byKey });

    it('keys of each type that can be one', async () => {
      const ids = [Long.fromString('9007199254740993'), 10, 9, -1, -10, 'a', new ObjectId(), new UUID()];
      await collection('mixed').insertMany(ids.map((key) => ({ key })));
      await expectKeys(byKey({ table: 'mixed', tie: 'key' }), ids.length);
    });

    it('says which types a key may have', async () => {
      await collection('dated').insertOne({ key: new Date() });
      const reading = readAll(byKey({ table: 'dated', tie: 'key' }));
      await expect(reading).rejects.toMatchObject({ code: 'wrong_type' });
    });
  });

  it('makes values plain', async () => {
    const at = new Date('2026-01-31T10:00:00.123Z');
    const id = new ObjectId();
    const uuid = new UUID();
    const big = Long.fromString('9007199254740993');
    await collection('kinds').insertOne({
      _id: id,
      updated_at: at,
      uuid,
      big,
      small: Long.fromNumber(7),
      price: Decimal128.fromString('12.50'),
      nan: Number.NaN,
      deep: { at, list: [id, null] },
    });
    const source = open({ table: 'kinds', tie: '_id' });
    const [found] = await readAll(source);
    await source.close();
    expect(found?.row).toEqual({
      _id: id.toHexString(),
      updated_at: at.toISOString(),
      uuid: uuid.toString(),
      big: 9007199254740993n,
      small: 7,
      price: 12.5,
      nan: 'NaN',
      deep: { at: at.toISOString(), list: [id.toHexString(), null] },
    });
  });

  it('counts the documents without a date, which no reading gives', async () => {
    await fill([{ id: 'a', at: '2026-01-31T10:00:00Z', payload: 'x' }]);
    await collection('people').insertMany([{ id: 'b' }, { id: 'c', updated_at: '2026-01-31' }]);
    const source = open();
    expect(await source.missed?.(undefined, undefined, new AbortController().signal)).toEqual({
      timeless: 2,
    });
    expect(await readAll(source)).toHaveLength(1);
    await source.close();
    const byKey = open({ updatedAt: undefined });
    expect(await byKey.missed?.(undefined, undefined, new AbortController().signal)).toEqual({});
    await byKey.close();
  });

  it('does not say how old the oldest transaction is, whatever the user may see', async () => {
    await fill([{ id: 'a', at: '2026-01-31T10:00:00Z', payload: 'x' }]);
    const session = admin.startSession();
    session.startTransaction();
    await collection('people').insertOne({ id: 'b', updated_at: new Date() }, { session });
    const seen = await admin
      .db('admin')
      .aggregate([{ $currentOp: { allUsers: true, idleSessions: true } }])
      .toArray();
    expect(seen.some(({ transaction }) => transaction)).toBe(true);
    const source = open();
    expect(await source.clock(new AbortController().signal)).toEqual({});
    expect(await readAll(source)).toHaveLength(1);
    await source.close();
    await session.abortTransaction();
    await session.endSession();
  });

  it('goes on among ties of all types, and of none', async () => {
    const ties = [
      null,
      1,
      2.5,
      Long.fromString('9007199254740993'),
      'a',
      '1',
      new ObjectId(),
      new UUID(),
      true,
      new Date(),
    ];
    const at = new Date('2026-01-31T10:00:00Z');
    await collection('mixed').insertMany([
      ...ties.map((key) => ({ key, updated_at: at })),
      { updated_at: at },
    ]);
    const source = open({ table: 'mixed', tie: 'key' });
    expect(await readAll(source)).toHaveLength(ties.length + 1);
    await expectNoneMissedOrRepeated(source);
    await source.close();
  });
});
