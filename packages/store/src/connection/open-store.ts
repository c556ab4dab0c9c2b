/** One connection to MongoDB and everything that is stored there. */
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { openMatching } from '@roster/audience';
import type { Secrets } from '@roster/secrets';
import mongoose from 'mongoose';
import { createConsents } from '../consent/consents.ts';
import { createContactConsents } from '../consent/contacts.ts';
import { createOwnersOf } from '../identifiers/owners.ts';
import { createTombstones } from '../identifiers/tombstones.ts';
import { createRecipientErasure } from '../messages/erasure.ts';
import { createIncludedBlocks } from '../messages/included-blocks.ts';
import { createSendRemoval } from '../messages/removal.ts';
import { createStopSchedule } from '../messages/stop.ts';
import {
  assertPrepared,
  compareIndexes,
  ensureIndexes,
  type IndexReport,
  indexes,
  NotPrepared,
  pruneIndexes,
} from '../models/indexes.ts';
import { type CollectionName, createModels, type Documents, type Models } from '../models/models.ts';
import { ensureValidators } from '../models/validators.ts';
import type { GenerationLimits } from '../occurrences/is-full.ts';
import { createMerging } from '../occurrences/merging.ts';
import { createEvents, createPurchases } from '../occurrences/occurrences.ts';
import { createTotals } from '../occurrences/totals.ts';
import { createAudiences } from '../profiles/audience.ts';
import { createAudit } from '../requests/audit.ts';
import { createOutcomes } from '../requests/outcomes.ts';
import { createRecords } from '../settings/records.ts';
import { createKeepsProofOf, createOutcomeDaysOf, createProfileBytesOf } from '../settings/settings-of.ts';
import { classify } from './classify.ts';
import { wakeWritersOfClosedSockets } from './closing-sockets.ts';
import { type Client, type Collection, type Db, exactly } from './db.ts';
import { createHealth } from './health.ts';
import { createSnapshot } from './snapshot.ts';
import { createTransact, type Transact, type TransactLimits } from './transact.ts';

export interface StoreOptions {
  url: string;
  /** Shown in the server's log and in `currentOp`. */
  appName: string;
  /** The key of the digests in tombstones: needed to read or write them. */
  secret?: Secrets;
  maxPoolSize?: number;
  /** How long one operation looks for a primary: short, so that a caller who retries gets an early answer. */
  selectionTimeoutMs?: number;
  /** The time limit of an answer; 0 means none. A minute by default. */
  socketTimeoutMs?: number;
  /** How long to wait for a MongoDB that is not there yet; for ever by default. */
  patienceMs?: number;
  /** Time limits of transactions, where the usual ones do not fit. */
  transactions?: TransactLimits;
  /** Creates missing collections and indexes first. */
  ensureIndexes?: boolean;
  /** Waits until they are there: `roster migrate` makes them. */
  whenPrepared?: boolean;
  /** MongoDB refuses documents that are not as their schemas say: see models/validators.ts. */
  validates?: boolean;
  onWaiting?(error: unknown): void;
  /** When the next generation of events or purchases begins; by the cache of the server without it. */
  generations?: GenerationLimits;
}

const connectionOptions = {
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
  readConcern: { level: 'majority' },
  retryWrites: true,
  // Both together are the time until a primary that vanished silently is noticed. Operations waiting for it fail then and are tried again.
  heartbeatFrequencyMS: 2_000,
  connectTimeoutMS: 3_000,
  ignoreUndefined: true,
  // Roster wrote all stored text as UTF-8. Checking every character again takes longer than reading it.
  enableUtf8Validation: false,
  // The driver would load it by a dynamic import, which a test runner's sandbox does not allow.
  runtimeAdapters: { os },
} as const;

const connect = async (options: StoreOptions): Promise<Client> => {
  const { url, appName, maxPoolSize = 8, selectionTimeoutMs: serverSelectionTimeoutMS = 5_000 } = options;
  const client: Client = new mongoose.mongo.MongoClient(url, {
    ...connectionOptions,
    appName,
    maxPoolSize,
    serverSelectionTimeoutMS,
    socketTimeoutMS: options.socketTimeoutMs ?? 60_000,
  });
  // The operations fail with it.
  client.on('error', () => {});
  try {
    await client.connect();
    if (options.validates) await ensureValidators(client.db());
    if (options.ensureIndexes) await ensureIndexes(client.db());
    if (options.whenPrepared) await assertPrepared(client.db());
    return client;
  } catch (error) {
    // The first error counts.
    await client.close().catch(() => {});
    throw error;
  }
};

/** Waits for the first connection, and for a database that is prepared; from then on the driver heals it by itself. A wrong host or password is reported at once. */
const connectPatiently = async (options: StoreOptions): Promise<Client> => {
  const { patienceMs = Number.POSITIVE_INFINITY, onWaiting } = options;
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await connect(options);
    } catch (error) {
      const isUnprepared = error instanceof NotPrepared;
      if ((!isUnprepared && classify(error) !== 'passing') || performance.now() > until) throw error;
      onWaiting?.(error);
      await pause(isUnprepared ? 2_000 : 500);
    }
  }
};

/** What the model of a collection passes its writes to, without the casting and the hydration. */
const collectionIn =
  (db: Db) =>
  <Name extends CollectionName>(name: Name, options?: mongoose.mongo.CollectionOptions) =>
    db.collection<Documents[Name]>(name, options) as Collection<Documents[Name]>;

type CollectionIn = ReturnType<typeof collectionIn>;

const collectionsOf = (collection: CollectionIn) => ({
  profiles: collection('profiles', exactly),
  identities: collection('identities'),
  sweeps: collection('sweeps'),
  contacts: collection('contacts'),
  consents: collection('consents'),
  requests: collection('requests'),
});

/** The people who run Roster, apart from the people in its workspaces. */
const dashboardOf = (collection: CollectionIn) => ({
  users: collection('dashboard_users'),
  claims: collection('dashboard_claims'),
  sessions: collection('dashboard_sessions'),
});

/** Content that messages and pages are made of. */
const contentOf = (collection: CollectionIn) => ({
  blocks: collection('content_blocks'),
  versions: collection('content_versions'),
  deleted: collection('content_deleted'),
  spaces: collection('content_spaces'),
});

/** What is to be sent, and what became of it. */
const messagesOf = (collection: CollectionIn) => ({
  schedules: collection('schedules'),
  deliveries: collection('deliveries'),
  sends: collection('sends'),
  lanes: collection('lanes'),
  activities: collection('activities'),
});

/** Stops schedules, and removes erased people from messages. */
const sendingOf = (
  collection: CollectionIn,
  models: Models,
  transact: Transact,
  names: Parameters<typeof createRecipientErasure>[2],
) => {
  const messages = messagesOf(collection);
  return {
    messages,
    stopSchedule: createStopSchedule(messages, models),
    eraseRecipients: createRecipientErasure(messages, transact, names),
    removeSends: createSendRemoval(messages, transact),
  };
};

/** Tables whose rows are synced, and their jobs. */
const syncsOf = (collection: CollectionIn) => ({
  integrations: collection('integrations'),
  jobs: collection('sync_jobs'),
  chunks: collection('sync_chunks'),
  kept: collection('sync_kept'),
  rows: collection('sync_rows'),
  retries: collection('sync_retries'),
});

export const openStore = async (options: StoreOptions) => {
  const letSleep = wakeWritersOfClosedSockets();
  const client = await connectPatiently(options).catch((error) => {
    letSleep();
    throw error;
  });
  const db = client.db();
  const connection = mongoose.createConnection().setClient(client);
  const models = createModels(connection);
  const collection = collectionIn(db);
  const collections = collectionsOf(collection);
  const workspaces = createRecords(collection('workspaces', exactly), () => models.workspaces);
  const events = createEvents(db, options.generations ?? {});
  const purchases = createPurchases(db, options.generations ?? {});
  const transact = createTransact(client, options.transactions);
  const contactConsents = createContactConsents(collections, options.secret);
  const outcomeDaysOf = createOutcomeDaysOf(workspaces);
  const matching = openMatching();
  const ownersOf = createOwnersOf(collections.identities);
  const tombstones = createTombstones(collection('tombstones'), options.secret);
  return {
    ...collections,
    events,
    purchases,
    /** For tests. */
    db,
    /** For writes that can take their time: they are judged by the schema. */
    models,
    ownersOf,
    contactConsents,
    audiences: createAudiences({ profiles: collections.profiles, contactConsents, matching }),
    consentHistory: createConsents({ ...collections, contactConsents }, options.secret),
    transact,
    /** Of old generations into larger ones. */
    merging: createMerging(db, transact),
    snapshot: createSnapshot(client),
    outcomes: createOutcomes(collections.requests, outcomeDaysOf),
    outcomeDaysOf,
    profileBytesOf: createProfileBytesOf(workspaces),
    keepsProofOf: createKeepsProofOf(workspaces),
    tombstones,
    totals: createTotals(collection('totals')),
    workspaces,
    keys: createRecords(collection('keys'), () => models.keys),
    companies: createRecords(collection('companies'), () => models.companies),
    scimTokens: createRecords(collection('scim_tokens'), () => models.scim_tokens),
    dashboard: dashboardOf(collection),
    content: contentOf(collection),
    includedBlocks: createIncludedBlocks(collection('content_blocks')),
    preferenceCenters: collection('preference_centers'),
    syncs: syncsOf(collection),
    ...sendingOf(collection, models, transact, { tombstones, ownersOf }),
    audit: createAudit(collection('audit')),
    indexes: {
      all: indexes,
      ensure: (): Promise<void> => ensureIndexes(db),
      compare: (): Promise<IndexReport> => compareIndexes(db, models),
      prune: (extra: IndexReport['extra']): Promise<string[]> => pruneIndexes(db, extra),
    },
    ...createHealth(db, collection('probes')),
    async close(): Promise<void> {
      await Promise.all([events.generations.close(), purchases.generations.close(), matching.close()]);
      await connection.destroy().finally(letSleep);
    },
  };
};

export type Store = Awaited<ReturnType<typeof openStore>>;

/** The collections that a batch about people is loaded from. */
export type StoresOfPeople = Pick<
  Store,
  'ownersOf' | 'profiles' | 'contactConsents' | 'tombstones' | 'events' | 'purchases' | 'totals'
>;
