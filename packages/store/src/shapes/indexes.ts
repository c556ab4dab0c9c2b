/** Every index with the query that needs it. */
import type mongoose from 'mongoose';
import { type Db, ensureCollection } from '../connection/db.ts';
import { integrationIndexes } from '../integrations/indexes.ts';
import { messageIndexes } from '../messages/indexes.ts';
import { createGenerations } from '../occurrences/generations.ts';
import { kinds } from '../occurrences/steps.ts';
import { atExpiry, by, type Index, type IndexTable, listed, partialBy } from './index-shape.ts';
import { type CollectionName, shapes } from './shapes.ts';

type StoredIndex = mongoose.mongo.IndexDescriptionInfo;

const storeIndexes: IndexTable = {
  profiles: {
    by_workspace: {
      key: { ws: 1, _id: 1 },
      // Every id is above it: only queries that continue after an id can use the index, and no other query takes it by mistake.
      options: { partialFilterExpression: { _id: { $gt: '' } } },
      reason: 'The next people of a workspace: an audience looks at so many of them at once.',
    },
    by_email: partialBy(
      ['ws', 'email_key'],
      'Everybody who has an email: track by email, export by email_address.',
    ),
    by_phone: partialBy(['ws', 'phone_key'], 'Everybody who has a phone: track by phone, export by phone.'),
    by_past_contact: partialBy(
      ['ws', 'contacts.v', 'contacts_at'],
      'Who had an email or phone when a request by it was accepted, and left it since.',
    ),
    by_device: partialBy(['ws', 'device_keys'], 'The owner of a device: export by device_id.'),
    by_token: partialBy(
      ['ws', 'token_keys'],
      'Whether a person has a push token already: import of push tokens.',
    ),
    by_absorbed: partialBy(
      ['ws', 'absorbed'],
      'The profile into which another one was merged: export by service_id.',
    ),
  },
  contacts: {
    by_due: partialBy(['due'], 'States of contacts that may have no owner, when their 30 days are over.'),
  },
  consents: {
    by_proof: partialBy(['proof'], 'The proof of erased people, found by an identifier.'),
  },
  totals: {
    by_profile: by(
      ['profile', 'last', 'revenue'],
      'What is left of old occurrences of a person: last activity and total revenue from the index alone, and all of it when they are erased.',
    ),
  },
  requests: {
    by_expiry: atExpiry('Removes outcomes that can be asked for no more.'),
  },
  identities: {
    by_profile: by(['profile'], 'All identity keys of a person, when they are erased.'),
  },
  sweeps: {
    by_due: by(['due'], 'Who has to be erased next.'),
  },
  tombstones: {
    by_last_owner: partialBy(['to'], 'The names that a person lost, when they are erased.'),
    by_expiry: atExpiry('Removes tombstones when no request from before can be left.'),
  },
  dashboard_users: {
    by_company: by(
      ['company', 'at'],
      'The dashboard users of a company in the order of their creation: the SCIM list.',
    ),
  },
  dashboard_claims: {
    by_user: by(['user'], 'The addresses of a dashboard user, when they change or the user goes.'),
  },
  dashboard_sessions: {
    by_user: by(['user'], 'Ends the sessions of a dashboard user who is deactivated or deleted.'),
    by_expiry: atExpiry('Removes sessions that are over.'),
  },
  audit: {
    by_request: partialBy(['request'], 'Whether a redelivered request has done its change already.'),
    by_target: by(['target'], 'What has happened to one user or token: roster audit --target.'),
  },
  content_blocks: {
    by_name: {
      key: { ws: 1, name: 1 },
      options: { unique: true },
      reason: 'One block of a name; which block a template names.',
    },
    by_edit: by(
      ['ws', 'edited', '_id'],
      'The blocks of a workspace by their last edit: the list of content blocks.',
    ),
    by_inclusion: by(
      ['ws', 'includes'],
      'Which blocks include a block: inclusion counts, and whether it may be deleted.',
    ),
  },
  content_versions: {
    by_block: by(['block', 'version'], 'The versions of a block: its history, and their removal with it.'),
  },
  content_deleted: {
    by_expiry: atExpiry('Forgets that a block was deleted, after a year.'),
  },
  preference_centers: {
    by_name: {
      key: { ws: 1, name: 1 },
      options: { unique: true },
      reason: 'One preference center of a name; the list of those of a workspace, and how many there are.',
    },
    by_inclusion: by(
      ['ws', 'includes'],
      'Which preference centers include a content block: whether it may be deleted.',
    ),
  },
};

/** Every index of every collection. */
export const indexes: readonly Index[] = [storeIndexes, messageIndexes, integrationIndexes].flatMap(listed);

export interface IndexReport {
  missing: Index[];
  /** It exists with another definition. */
  different: Index[];
  /** Not declared here, or no longer. */
  extra: { collection: CollectionName; name: string }[];
}

/** Generations have no index but their key, and are made when they are needed. */
const collections = (Object.keys(shapes) as CollectionName[]).filter(
  (name) => !kinds.some((kind) => kind === name),
);

const isSame = ({ key, options = {} }: Index, stored: StoredIndex): boolean =>
  JSON.stringify(key) === JSON.stringify(stored.key) &&
  options.expireAfterSeconds === stored.expireAfterSeconds &&
  options.unique === stored.unique &&
  JSON.stringify(options.partialFilterExpression) === JSON.stringify(stored.partialFilterExpression);

const storedIn = async (db: Db, collection: CollectionName): Promise<StoredIndex[]> => {
  const isThere = await db.listCollections({ name: collection }, { nameOnly: true }).hasNext();
  return isThere ? db.collection(collection).indexes() : [];
};

const declaredOn = (collection: CollectionName): Index[] =>
  indexes.filter((index) => index.collection === collection);

const ensureIndexed = async (db: Db, collection: CollectionName): Promise<void> => {
  await ensureCollection(db, collection);
  const wanted = declaredOn(collection).map(({ name, key, options }) => ({ name, key, ...options }));
  if (wanted.length > 0) await db.collection(collection).createIndexes(wanted);
};

/** Creates missing collections, indexes and first generations, so that no transaction has to. Repeating it changes nothing. */
export const ensureIndexes = async (db: Db): Promise<void> => {
  await Promise.all(collections.map((collection) => ensureIndexed(db, collection)));
  for (const of of kinds) await createGenerations({ db, of, limits: {} }).tend();
};

export const compareIndexes = async (db: Db): Promise<IndexReport> => {
  const report: IndexReport = { missing: [], different: [], extra: [] };
  for (const collection of collections) {
    const wanted = new Map(declaredOn(collection).map((index) => [index.name, index]));
    const stored = new Map((await storedIn(db, collection)).map((index) => [index.name ?? '', index]));
    for (const [name, index] of wanted) {
      const found = stored.get(name);
      if (!found) report.missing.push(index);
      else if (!isSame(index, found)) report.different.push(index);
    }
    for (const name of stored.keys())
      if (name !== '_id_' && !wanted.has(name)) report.extra.push({ collection, name });
  }
  return report;
};
