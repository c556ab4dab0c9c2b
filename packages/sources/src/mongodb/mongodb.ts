/** Collections of MongoDB. */
import { type AggregationCursor, type Collection, MongoClient } from 'mongodb';
import { bounds } from '../bounds.ts';
import { graceMs, type Limits } from '../limits.ts';
import { readPages } from '../pages.ts';
import { type Found, lookBack, type Place, toPlace } from '../place.ts';
import type { DatabaseSettings } from '../settings.ts';
import type { Source } from '../source.ts';
import { withTimeLimit } from '../time-limit.ts';
import { tlsOptions } from '../tls.ts';
import { readMongoAddress } from './address.ts';
import { tieText, toCell, toRow } from './cells.ts';
import { assertExists, assertTopLevel, columnsOf, fieldsIn } from './collection.ts';
import { toSourceError } from './errors.ts';
import { type Fields, matching, readRows, sampleRows } from './pipelines.ts';

interface Raw {
  readonly moment: Date;
  readonly tie?: unknown;
  readonly bytes: number | bigint;
  readonly document?: object;
}

const toFound = ({ moment, tie, bytes, document }: Raw): Found => {
  const id = toCell(tie);
  return {
    moment: moment.toISOString(),
    tie: tieText(tie),
    bytes: Number(bytes),
    row: document && toRow(document),
    id: id === null ? null : String(id),
  };
};

const tlsFor = (settings: DatabaseSettings) => {
  const options = tlsOptions(settings.tls);
  if (!options) return { tls: false };
  const { rejectUnauthorized, ...ca } = options;
  return { tls: true, ...ca, ...(!rejectUnauthorized && { tlsAllowInvalidCertificates: true }) };
};

const clientFor = (url: string, settings: DatabaseSettings, { connectMs }: Limits): MongoClient =>
  new MongoClient(url, {
    ...tlsFor(settings),
    appName: 'roster',
    connectTimeoutMS: connectMs,
    serverSelectionTimeoutMS: connectMs,
    maxPoolSize: 4,
    useBigInt64: true,
    readConcern: { level: 'majority' },
  });

/** Batches as the driver has them: 16 MB at most. */
async function* batches(cursor: AggregationCursor<Raw>, firstMs: number, silenceMs: number) {
  const end = () => void cursor.close().catch(() => {});
  let limit = firstMs;
  try {
    while (await withTimeLimit(limit, end, cursor.hasNext())) {
      limit = silenceMs;
      yield cursor.readBufferedDocuments().map(toFound);
    }
  } finally {
    end();
  }
}

export const openMongodb = (settings: DatabaseSettings, limits: Limits = bounds): Source => {
  const { url, database, at } = readMongoAddress(settings.url);
  const { questionMs, statementMs, silenceMs, stretchMs } = limits;
  const wanted: Fields = { updatedAt: settings.updatedAt, tie: settings.tie };
  assertTopLevel(wanted);
  let client: MongoClient | undefined;
  let connecting: Promise<MongoClient> | undefined;

  /** One attempt for all who ask at once; the next one begins anew. */
  const connected = (): Promise<MongoClient> => {
    client ??= clientFor(url, settings, limits);
    connecting ??= client.connect().catch((error) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };

  const connect = async (): Promise<Collection> => {
    const db = (await connected()).db(database);
    await assertExists(db, settings.table);
    return db.collection(settings.table);
  };
  const inWords = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw toSourceError(error, at);
    }
  };
  const table = async () => {
    const collection = await connect();
    const columns = await columnsOf(collection, questionMs);
    return { collection, columns, fields: fieldsIn(columns, wanted, settings.table) };
  };
  const ask = <T>(question: (found: Awaited<ReturnType<typeof table>>) => Promise<T>): Promise<T> =>
    inWords(withTimeLimit(2 * questionMs + limits.connectMs, () => {}, table().then(question)));

  async function* find(since: Place | undefined, signal: AbortSignal) {
    try {
      const { collection, fields } = await ask(async (found) => found);
      // Not that of the collection, by which ties that differ may be equal.
      const collation = { locale: 'simple' };
      const options = { collation, allowDiskUse: true, maxTimeMS: statementMs, batchSize: 1_000, signal };
      const cursor = collection.aggregate<Raw>(readRows(fields, since), options);
      yield* batches(cursor, statementMs + graceMs, silenceMs);
    } catch (error) {
      throw signal.aborted ? signal.reason : toSourceError(error, at);
    }
  }

  return {
    columns: () => ask(async ({ columns }) => columns),
    test: () =>
      ask(async ({ collection, columns, fields }) => {
        const rows = await collection.aggregate<Raw>(sampleRows(fields), { maxTimeMS: questionMs }).toArray();
        return { columns, sample: rows.map(toFound).flatMap(({ row }) => (row ? [row] : [])) };
      }),
    estimate: (since) =>
      ask(({ collection, fields }) =>
        since
          ? collection
              .countDocuments(matching(fields, toPlace(since)), { maxTimeMS: 2_000 })
              .catch(() => undefined)
          : collection.estimatedDocumentCount({ maxTimeMS: questionMs }),
      ),
    pages: (options) => readPages(find, options, stretchMs),
    lookBack,
    close: async () => {
      await client?.close();
      client = undefined;
      connecting = undefined;
    },
  };
};
