// Exports over HTTP and, as their measure, the bare aggregation for the same answer on the same server.
import mongoose from 'mongoose';
import type { Setting } from './bench.ts';
import { openStoreOf } from './store.ts';
import { addEvents, idsOf } from './stored-events.ts';

const { MongoClient } = mongoose.mongo;

const windowMs = 90 * 24 * 3600 * 1000;

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

export const openExportClient = async (setting: Setting) => {
  const { system, atEnd } = setting;
  const { trackUrl, apiKey, mongoUrl } = system;
  const client = await MongoClient.connect(mongoUrl);
  atEnd(() => client.close());
  const events = client.db().collection<Row>('bench_bare_events');
  await events.createIndex({ profile: 1, time: 1, name: 1 });
  const store = await openStoreOf(setting);
  const exportUrl = trackUrl.replace('/users/track', '/users/export/ids');

  const known = new Map<string, string[]>();
  const remembered = async (externalIds: readonly string[]): Promise<string[]> => {
    const ids = known.get(externalIds.join()) ?? (await idsOf(store, externalIds));
    known.set(externalIds.join(), ids);
    return ids;
  };

  return {
    /** Milliseconds until the last byte of the answer. */
    async exportOf(
      external_ids: readonly string[],
      fields_to_export: readonly string[],
      url = exportUrl,
    ): Promise<number> {
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
    /** Milliseconds of the aggregation alone: first, last and count by person and name. */
    aggregate: async (externalIds: readonly string[]) => aggregate(events, await remembered(externalIds)),
    /** For each of these people, also as rows with the index of the bare aggregation. */
    addEvents: async (externalIds: readonly string[], each: number) =>
      addEvents(store, await remembered(externalIds), each, (rows) =>
        events.insertMany(
          rows.map(({ request, index, ...row }) => ({ ...row, _id: `${request}-${index}` })),
          { ordered: false },
        ),
      ),
    async setAttributes(externalId: string, count: number): Promise<void> {
      const v = 'x'.repeat(255);
      const at = Date.now() * 1000;
      const custom = Array.from({ length: count }, (_, n) => ({ k: `attribute ${n}`, v, at }));
      await store.profiles.updateOne({ external_id: externalId }, { $set: { custom } });
    },
  };
};

export type ExportClient = Awaited<ReturnType<typeof openExportClient>>;
