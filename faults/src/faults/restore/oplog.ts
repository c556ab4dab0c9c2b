// A restore to a point in time: what `mongorestore --oplogReplay --oplogLimit` does with the oplog of a member, by the same command of MongoDB.
import mongoose from 'mongoose';

const { MongoClient } = mongoose.mongo;

type Timestamp = mongoose.mongo.Timestamp;

interface Operation {
  op: string;
  ns: string;
  o: Record<string, unknown>;
}

/** As it stands in the oplog. */
export interface Entry extends Operation {
  ts: Timestamp;
  lsid?: unknown;
  txnNumber?: unknown;
}

/** Numbers keep their types on the way. */
const exact = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;

const withClient = async <T>(
  url: string,
  work: (client: mongoose.mongo.MongoClient) => Promise<T>,
): Promise<T> => {
  const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 20_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};

const oplogOf = (client: mongoose.mongo.MongoClient) => client.db('local').collection<Entry>('oplog.rs');

/** Without notes of the member and its own settings, which it writes when it starts. */
const changes = { op: { $ne: 'n' }, ns: { $not: /^(config\.|admin\.system)/ } };

/** The last entry that changes data. */
const lastChange = async (client: mongoose.mongo.MongoClient): Promise<Timestamp> => {
  const last = await oplogOf(client).findOne(changes, { sort: { $natural: -1 } });
  if (!last) throw new Error('the oplog is empty');
  return last.ts;
};

/** Now, as the oplog tells it. */
export const pointInTime = (url: string): Promise<Timestamp> => withClient(url, lastChange);

/** All changes up to a moment: what a backup of the oplog holds. */
export const saveOplog = (url: string, until: Timestamp): Promise<Entry[]> =>
  withClient(url, (client) =>
    oplogOf(client)
      .find({ ...changes, ts: { $lte: until } }, exact)
      .toArray(),
  );

const operationsIn = ({ o }: Operation): Operation[] =>
  Object.values((o.applyOps ?? []) as Record<string, Operation>);

/** A large transaction is in several entries, and counts with the last one. */
const createUnroll = () => {
  const parts = new Map<string, Operation[]>();
  return (entry: Entry): Operation[] => {
    if (!entry.o.applyOps) return [{ ...entry }];
    const key = JSON.stringify([entry.lsid, entry.txnNumber]);
    const all = [...(parts.get(key) ?? []), ...operationsIn(entry)];
    parts.delete(key);
    if (!entry.o.partialTxn) return all;
    parts.set(key, all);
    return [];
  };
};

/** Sessions belong to the lost member; indexes are made by a later step. */
const isReplayed = ({ op, ns, o }: Operation): boolean =>
  !/^(config|admin|local)\./.test(ns) && !(op === 'c' && Object.keys(o).some((name) => /index/i.test(name)));

const operationsAtOnce = 500;

/** Applies what the restored data do not have yet. Returns how many operations. */
export const replayOplog = (url: string, saved: readonly Entry[]): Promise<number> =>
  withClient(url, async (client) => {
    const since = await lastChange(client);
    const unroll = createUnroll();
    const later = saved.filter(({ ts }) => ts.greaterThan(since));
    const operations = later.flatMap(unroll).filter(isReplayed);
    for (let from = 0; from < operations.length; from += operationsAtOnce) {
      const applyOps = operations.slice(from, from + operationsAtOnce).map(({ op, ns, o, ...rest }) => ({
        op,
        ns,
        o,
        ...('o2' in rest && { o2: rest.o2 }),
        ...('ui' in rest && { ui: rest.ui }),
      }));
      await client.db('admin').command({ applyOps });
    }
    return operations.length;
  });
