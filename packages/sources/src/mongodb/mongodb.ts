/** Collections of MongoDB. */
import type { AggregationCursor, Collection } from 'mongodb';
import { bounds } from '../bounds.ts';
import type { Found } from '../place.ts';
import { type Protocol, type Waiting, within } from '../server/protocol.ts';
import type { Order, ServerTable } from '../settings.ts';
import type { Column } from '../source.ts';
import { keyOf, tieText, toCell, toRow } from './cells.ts';
import { collectionIn, columnsOf, fieldsIn } from './collection.ts';
import { toSourceError } from './errors.ts';
import { matching, readRows, repeatedTie, sampleRows } from './pipelines.ts';
import { connect, readMongoAddress, type Session } from './session.ts';

interface Table {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly fields: Order;
}

interface Raw {
  readonly moment?: Date;
  readonly tie?: unknown;
  readonly bytes: number | bigint;
  readonly document?: object;
}

/** Documents that are handed on together. */
const most = 500;

const toFound = ({ moment, tie, bytes, document }: Raw): Found => {
  const id = toCell(tie);
  return {
    moment: moment?.toISOString() ?? '',
    ...(!moment && { key: keyOf(tie) }),
    tie: tieText(tie),
    bytes: Number(bytes),
    row: document && toRow(document),
    id: id === null ? null : String(id),
  };
};

/** The driver holds a batch of up to 16 MB as bytes, and makes documents of it as they are read: they take many times as much. */
function* found(cursor: AggregationCursor<Raw>): Generator<readonly Found[]> {
  let some: Found[] = [];
  let bytes = 0;
  for (let [next] = cursor.readBufferedDocuments(1); next; [next] = cursor.readBufferedDocuments(1)) {
    const one = toFound(next);
    some.push(one);
    bytes += one.bytes;
    if (bytes < bounds.rowBytes && some.length < most) continue;
    yield some;
    [some, bytes] = [[], 0];
  }
  yield some;
}

/** Not that of the collection, by which ties that differ may be equal. */
const collation = { locale: 'simple' };

export const mongodb = ({ url, tls }: ServerTable): Protocol<Session, Table> => {
  const address = readMongoAddress(url);
  const { at } = address;

  async function* batches(session: Session, cursor: AggregationCursor<Raw>, waiting: Waiting) {
    const more = (ms: number) => within(ms, at, session, () => cursor.hasNext());
    for (let limit = waiting.firstMs; await more(limit); limit = waiting.silenceMs) {
      waiting.end.throwIfAborted();
      yield* found(cursor);
    }
  }

  const look = async (session: Session, table: string) => {
    const collection = await collectionIn(session, table);
    return { collection, columns: await columnsOf(collection, session.maxTimeMS) };
  };

  return {
    at,
    connect: (limits) => connect(address, tls, limits),
    begin: ({ connected }) => connected(),
    toSourceError: (error) => toSourceError(error, at),
    look,
    find: async (session, { table, ...wanted }) => {
      const { collection, columns } = await look(session, table);
      return { collection, columns, fields: fieldsIn(columns, wanted, table) };
    },
    sample: async ({ maxTimeMS }, { collection, fields }) =>
      (await collection.aggregate<Raw>(sampleRows(fields), { maxTimeMS }).toArray()).map(toFound),
    repeated: async ({ maxTimeMS }, { collection, fields }) => {
      const [found] = await collection.aggregate(repeatedTie(fields), { maxTimeMS, collation }).toArray();
      return found && String(toCell(found._id));
    },
    timeless: ({ maxTimeMS }, { collection, fields: { updatedAt = '' } }) =>
      collection.countDocuments(
        { [updatedAt]: { $not: { $type: 'date' } } },
        { maxTimeMS, limit: bounds.timelessRows },
      ),
    estimate: ({ maxTimeMS }, { collection, fields }, since) =>
      since
        ? // Too many to count in time: there is no estimate.
          collection.countDocuments(matching(fields, since), { maxTimeMS: 2_000 }).catch(() => undefined)
        : collection.estimatedDocumentCount({ maxTimeMS }),
    rows: (session, { collection, fields }, since, waiting) => {
      const options = { collation, allowDiskUse: true, maxTimeMS: session.maxTimeMS, batchSize: 1_000 };
      return batches(session, collection.aggregate<Raw>(readRows(fields, since), options), waiting);
    },
  };
};
