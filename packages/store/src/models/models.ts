/** Every collection, and its model. */
import mongoose from 'mongoose';
import type { Collection } from '../connection/db.ts';
import type { DocumentIn } from './collection.ts';
import * as content from './content.ts';
import * as dashboard from './dashboard.ts';
import * as integrations from './integrations.ts';
import * as messages from './messages.ts';
import * as occurrences from './occurrences.ts';
import * as people from './people.ts';
import * as requests from './requests.ts';
import * as settings from './settings.ts';

/** By its name in the database; `events` and `purchases` stand for all of their generations. */
export const collections = {
  profiles: people.profiles,
  identities: people.identities,
  contacts: people.contacts,
  consents: people.erasedConsents,
  tombstones: people.tombstones,
  sweeps: people.sweeps,
  events: occurrences.events,
  purchases: occurrences.purchases,
  generations: occurrences.generations,
  totals: occurrences.totals,
  requests: requests.requests,
  audit: requests.audit,
  dashboard_users: dashboard.dashboardUsers,
  dashboard_claims: dashboard.dashboardClaims,
  dashboard_sessions: dashboard.dashboardSessions,
  content_blocks: content.contentBlocks,
  content_versions: content.contentVersions,
  content_deleted: content.contentDeleted,
  content_spaces: content.contentSpaces,
  preference_centers: content.preferenceCenters,
  schedules: messages.schedules,
  deliveries: messages.deliveries,
  sends: messages.sends,
  lanes: messages.lanes,
  activities: messages.activities,
  integrations: integrations.integrations,
  sync_jobs: integrations.syncJobs,
  sync_chunks: integrations.syncChunks,
  sync_kept: integrations.syncKept,
  sync_rows: integrations.syncRows,
  sync_retries: integrations.syncRetries,
  companies: settings.records,
  keys: settings.records,
  scim_tokens: settings.records,
  workspaces: settings.records,
  probes: settings.probes,
};

export type CollectionName = keyof typeof collections;

export const collectionNames = Object.keys(collections) as CollectionName[];

/** Whose documents have a type of their own. */
interface Named {
  profiles: people.ProfileDocument;
  companies: settings.RecordDocument;
  keys: settings.RecordDocument;
  scim_tokens: settings.RecordDocument;
  workspaces: settings.RecordDocument;
}

export type Documents = {
  [Name in CollectionName]: Name extends keyof Named ? Named[Name] : DocumentIn<(typeof collections)[Name]>;
};

/** Some of the collections, by their names. */
export type CollectionsOf<Name extends CollectionName> = { [One in Name]: Collection<Documents[One]> };

// An update is judged as a new document is.
mongoose.set('runValidators', true);

export type Models = { readonly [Name in CollectionName]: mongoose.Model<Documents[Name]> };

/** Each is made when it is first asked for, as its schema is. */
export const createModels = (connection: mongoose.Connection): Models => {
  const models = {};
  for (const name of collectionNames)
    Object.defineProperty(models, name, {
      enumerable: true,
      get: () => connection.models[name] ?? connection.model(name, collections[name].schema(), name),
    });
  return models as Models;
};
