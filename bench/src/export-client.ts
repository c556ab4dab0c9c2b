// Exports over HTTP and, as their measure, the bare aggregation for the same answer on the same server.
import mongoose from 'mongoose';
import type { Setting } from './bench.ts';
import { keyOf, newestEvents } from './stored-events.ts';

const { MongoClient } = mongoose.mongo;

const windowMs = 90 * 24 * 3600 * 1000;
const batch = 5_000;

export interface ExportClient {
  /** Milliseconds until the last byte of the answer. */
  exportOf(externalIds: readonly string[], fields: readonly string[], url?: string): Promise<number>;
  /** Milliseconds of the aggregation alone: first, last and count by person and name. */
  aggregate(externalIds: readonly string[]): Promise<number>;
  /** Events of the last weeks, so many for each of these people, of twenty names. */
  addEvents(externalIds: readonly string[], each: number): Promise<void>;
  setAttributes(externalId: string, count: number): Promise<void>;
}

interface Row {
  _id: string;
}

type Collection<Document extends object> = InstanceType<typeof mongoose.mongo.Collection<Document>>;

const aggregate = async (events: Collection<Row>, profiles: readonly string[]): Promise<number> => {
  const since = new Date(Date.now() - windowMs);
  const began = performance.now();
  const _id = { profile: '$profile', name: '$name' };
  const summary = { first: { $min: '$time' }, last: { $max: '$time' }, count: { $sum: 1 } };
  await events
    .aggregate([
      { $match: { profile: { $in: profiles }, time: { $gte: since } } },
      { $group: { _id, ...summary } },
    ])
    .toArray();
  return performance.now() - began;
};

/** As they are stored, and as rows with the index of the bare aggregation. */
const addEvents = async (
  db: mongoose.mongo.Db,
  events: Collection<Row>,
  profiles: readonly string[],
  each: number,
): Promise<void> => {
  const total = profiles.length * each;
  const stored = await newestEvents(db);
  const run = Date.now();
  for (let from = 0; from < total; from += batch) {
    const rows = Array.from({ length: Math.min(batch, total - from) }, (_, i) => ({
      _id: `export-${run}-${from + i}`,
      ws: 'demo',
      profile: profiles[Math.floor((from + i) / each)],
      at: run * 1000,
      time: new Date(run - (from + i) * 40),
      name: `event ${i % 20}`,
      properties: '{"path":"/pricing"}',
    }));
    await events.insertMany(rows, { ordered: false });
    const inGeneration = rows.map(({ profile, time, ws, name, properties }, i) => ({
      _id: keyOf(profile ?? '', time.getTime(), from + i),
      ws,
      name,
      properties,
    }));
    await stored.insertMany(inGeneration, { ordered: false });
  }
};

export const openExportClient = async ({ system, atEnd }: Setting): Promise<ExportClient> => {
  const { trackUrl, apiKey, mongoUrl } = system;
  const client = await MongoClient.connect(mongoUrl);
  atEnd(() => client.close());
  const db = client.db();
  const events = db.collection<Row>('bench_bare_events');
  await events.createIndex({ profile: 1, time: 1, name: 1 });
  const exportUrl = trackUrl.replace('/users/track', '/users/export/ids');

  const idsOf = async (externalIds: readonly string[]): Promise<string[]> => {
    const found = await db
      .collection<Row>('profiles')
      .find({ external_id: { $in: externalIds } } as object, { projection: { _id: 1 } })
      .toArray();
    if (found.length !== externalIds.length) throw new Error('not all of these people exist');
    return found.map(({ _id }) => _id);
  };
  const known = new Map<string, string[]>();
  const remembered = async (externalIds: readonly string[]): Promise<string[]> => {
    const ids = known.get(externalIds.join()) ?? (await idsOf(externalIds));
    known.set(externalIds.join(), ids);
    return ids;
  };

  return {
    async exportOf(external_ids, fields_to_export, url = exportUrl) {
      const began = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ external_ids, fields_to_export }),
      });
      await response.arrayBuffer();
      if (response.status !== 201) throw new Error(`an export was answered ${response.status}`);
      return performance.now() - began;
    },
    aggregate: async (externalIds) => aggregate(events, await remembered(externalIds)),
    addEvents: async (externalIds, each) => addEvents(db, events, await remembered(externalIds), each),
    async setAttributes(externalId, count) {
      const v = 'x'.repeat(255);
      const at = Date.now() * 1000;
      const custom = Array.from({ length: count }, (_, n) => ({ k: `attribute ${n}`, v, at }));
      await db
        .collection<Row>('profiles')
        .updateOne({ external_id: externalId } as object, { $set: { custom } });
    },
  };
};
