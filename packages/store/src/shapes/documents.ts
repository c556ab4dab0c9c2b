/** The documents of each collection: their shapes, and the types that follow from them. */
import type { Profile } from '@roster/profile';
import type { KeyParts } from '../occurrences/key.ts';
import {
  amount,
  bytes,
  type DocumentOf,
  date,
  flag,
  list,
  map,
  mark,
  mixed,
  number,
  numberOf,
  optional,
  part,
  text,
  textOf,
} from './paths.ts';

export type ProfileDocument = Profile;

const identities = {
  /** Workspace, kind and value: unique by nature, even when sharded. */
  _id: text,
  profile: text,
  at: number,
  /** When a merge last moved it to the kept profile. Its tombstone names the owner before. */
  moved: optional(number),
};

/** The owner of an external id or alias. For emails and phones it is only a lock: see `profiles.email_key`. */
export type IdentityDocument = DocumentOf<typeof identities>;

export type OccurrenceKind = 'events' | 'purchases';

const kind = textOf<OccurrenceKind>('events', 'purchases');

/** Profile, time, stamp and place are in its key: see occurrences/key.ts. */
const occurrence = {
  _id: bytes,
  ws: text,
  app_id: optional(text),
  /** JSON text: the names in it are the caller's, so they are only data. */
  properties: optional(text),
};

const ofEvent = { name: text };

const ofPurchase = {
  product_id: text,
  currency: text,
  price: number,
  quantity: number,
  /** Price times quantity in the workspace's reporting currency, exactly; absent without a rate for the currency. */
  revenue: optional(amount),
};

/** As it is read: `time` is when it happened, `at` the stamp of its request. */
type Occurrence = KeyParts & Omit<DocumentOf<typeof occurrence>, '_id'>;

export type EventRow = Occurrence & DocumentOf<typeof ofEvent>;
export type PurchaseRow = Occurrence & DocumentOf<typeof ofPurchase>;

/** As it is written: with the id of its request. */
export type WithRequest<Row> = Row & { request: string };

const generations = {
  /** Its name. */
  _id: text,
  of: kind,
  n: number,
  /** A day: no row is older. Absent as long as nothing was written. */
  oldest: optional(date),
  /** When the next one was taken into use. */
  closed: optional(date),
  /** When it was found empty. */
  emptied: optional(date),
  /** How often its rows were merged into a larger one: absent before the first time. */
  tier: optional(number),
  /** The larger generation that takes its rows. */
  into: optional(text),
};

/** A collection that holds events or purchases of some time: see occurrences/generations.ts. */
export type GenerationDocument = DocumentOf<typeof generations>;

const totals = {
  /** See `totalId`. */
  _id: text,
  ws: text,
  profile: text,
  of: kind,
  /** The name of the event, or the id of the product. */
  name: text,
  first: date,
  last: date,
  count: number,
  /** Absent when no occurrence had any. */
  revenue: optional(amount),
};

/** The total of the occurrences older than their workspace keeps them: of one profile and name. */
export type TotalDocument = DocumentOf<typeof totals>;

const requests = {
  /** Request id. */
  _id: text,
  ws: text,
  op: text,
  at: number,
  state: textOf('applied', 'failed'),
  applied: date,
  /** Run-length: `updated*49`. */
  entries: optional(map(list(text))),
  reason: optional(text),
  /** The answer of an operation that must answer the same when it is repeated. `code`: the case of a refusal. */
  answer: optional(part({ status: number, body: text, code: optional(text) })),
  notes: optional(
    list(
      part({
        input_array: text,
        index: number,
        field: optional(text),
        reason: text,
        count: optional(number),
      }),
    ),
  ),
  /** Removed by a TTL index from then on. */
  expires: date,
};

/** The mark that a request is applied, or failed; it is also the outcome that callers read. */
export type RequestDocument = DocumentOf<typeof requests>;

const tombstones = {
  /** Keyed digest of the identity key. */
  _id: text,
  ws: text,
  at: number,
  to: optional(text),
  part: optional(mark),
  earlier: optional(list(part({ at: number, to: optional(text), part: optional(mark) }))),
  /** Removed by a TTL index from then on. */
  expires: date,
};

/** An identifier whose person was deleted (no `to`) or merged away into the service id `to`, for requests stamped up to `at`. */
export type TombstoneDocument = DocumentOf<typeof tombstones>;

const sweeps = {
  _id: text,
  ws: text,
  /** Service ids. */
  profiles: list(text),
  /** Identity keys that only this person had. */
  keys: list(text),
  /** Identity keys of emails and phones that they had before. */
  former: optional(list(text)),
  /** All their data is stamped up to here. */
  at: number,
  /** The stamp of the deletion: later statements about their contacts stay. */
  accepted: optional(number),
  /** Dead letters up to this stamp are about them; up to `at` without it. */
  until: optional(number),
  round: numberOf(1, 2),
  /** When the round may begin. A process that takes it moves this on, so that another process repeats it if the first one dies. */
  due: date,
};

/** A deleted person, invisible to all readers: the remains have to be removed, now and once more when no request about them can be under way. */
export type SweepDocument = DocumentOf<typeof sweeps>;

/** Settings of a workspace, an API key: kept whole, under their id. */
export interface RecordDocument {
  _id: string;
  [name: string]: unknown;
}

const permissions = {
  company: list(text),
  roles: list(text),
  workspaces: list(
    part({
      id: text,
      permissions: list(text),
      sets: list(text),
      teams: list(part({ id: text, permissions: list(text) })),
    }),
  ),
};

/** The permissions of a dashboard user; ids, so that things can be renamed. */
export type DashboardPermissions = DocumentOf<typeof permissions>;

const email = { value: text, type: optional(text), primary: optional(flag) };

export type DashboardEmail = DocumentOf<typeof email>;

const users = {
  _id: text,
  company: text,
  /** Stamps of creation and of the last change by a provisioner. */
  at: number,
  changed: number,
  /** Stamp of the latest request about the user, also of one that changed nothing; without any, the stamp of `changed`. */
  said: optional(number),
  /** Grows with each such change; `meta.version` is made from it. */
  rev: number,
  userName: text,
  externalId: optional(text),
  name: optional(part({ formatted: optional(text), familyName: optional(text), givenName: optional(text) })),
  displayName: optional(text),
  active: flag,
  /** Removed by a provisioner: no source allows the user to sign in. */
  active_unset: optional(flag),
  emails: optional(list(part(email))),
  department: optional(text),
  permissions: optional(part(permissions)),
  /** Whether it was written with the extension schema, and so is shown with it. */
  extended: optional(flag),
  signed_in: optional(date),
  password: optional(part({ salt: text, hash: text })),
};

/** A person who may sign in to Roster itself: api.md, dashboard user. */
export type DashboardUserDocument = DocumentOf<typeof users>;

const auditEntry = {
  /** When, in stamps: microseconds since the epoch. */
  at: number,
  /** The actor: `scim:<id of the token>`, `key:<id>`, `cli:<name of the person's account>`, `user:<id>`; `unknown` without any. */
  by: text,
  /** Such as `user.created`. */
  what: text,
  /** The object of the change: an id, never a contact or a name of a person. */
  target: text,
  company: optional(text),
  /** The request of the change; each request stands here at most once. */
  request: optional(text),
  /** Names of the changed members. */
  fields: optional(list(text)),
  /** The new values, where they are no personal data. */
  set: optional(mixed<Record<string, unknown>>()),
};

export type AuditEntry = DocumentOf<typeof auditEntry>;

const audit = {
  ...auditEntry,
  /** Number of the row, with leading zeros. */
  _id: text,
  /** Hash of the row before. */
  before: text,
  hash: text,
};

export type AuditDocument = DocumentOf<typeof audit>;

const contentVersion = {
  ws: text,
  /** Counts the changes, from 1. */
  version: number,
  name: text,
  description: optional(text),
  content: text,
  state: textOf('active', 'draft'),
  tags: list(text),
  /** Names of the blocks that the content includes. */
  includes: list(text),
  /** Members that are different from the version before. */
  changed: list(text),
  /** Stamp of the change, and the id of the key that made it. */
  edited: number,
  by: optional(text),
};

/** A content block after one change. */
export type ContentVersion = DocumentOf<typeof contentVersion>;

const contentBlocks = {
  ...contentVersion,
  _id: text,
  /** Stamp of its creation. */
  created: number,
};

/** A content block as it is now. */
export type ContentBlockDocument = DocumentOf<typeof contentBlocks>;

/** A content block as it was before a change. */
const contentVersions = {
  ...contentVersion,
  /** Id of the block, colon, version. */
  _id: text,
  block: text,
};

/** Tells callers who ask for a deleted block that it was deleted. */
const contentDeleted = {
  /** Id of the block. */
  _id: text,
  ws: text,
  /** Stamp of the deletion, and the id of the key. */
  at: number,
  by: optional(text),
  /** Removed by a TTL index from then on. */
  expires: date,
};

/**
 * Every change of the content of a workspace writes this document, so of two changes at once one is repeated. Names, references and numbers
 * are therefore checked against data that no other change can alter meanwhile.
 */
const contentSpaces = {
  /** Workspace. */
  _id: text,
  changes: number,
  blocks: number,
  versions: number,
};

const preferenceCenters = {
  _id: text,
  ws: text,
  /** Unique in the workspace; never changes. */
  name: text,
  title: text,
  /** The page with the form, and the page after it: HTML with Liquid. */
  page: text,
  confirmation: text,
  state: textOf('active', 'draft'),
  options: part({
    viewport: optional(text),
    links: list(
      part({
        rel: text,
        type: optional(text),
        sizes: optional(text),
        color: optional(text),
        href: text,
      }),
    ),
    /** Scripts inside of the pages run. */
    scripts: optional(mark),
  }),
  /** Names of the content blocks that the two pages include. */
  includes: list(text),
  /** Stamps of its creation and its last change, and the id of the key that made it. */
  created: number,
  edited: number,
  by: optional(text),
};

/** A page on which people choose their subscriptions. */
export type PreferenceCenterDocument = DocumentOf<typeof preferenceCenters>;

export const documentShapes = {
  identities,
  events: { ...occurrence, ...ofEvent },
  purchases: { ...occurrence, ...ofPurchase },
  generations,
  totals,
  requests,
  sweeps,
  tombstones,
  dashboard_users: users,
  /** This userName or email, in lower case, belongs to that dashboard user: unique by its `_id`. */
  dashboard_claims: { _id: text, user: text },
  /** A session of a signed-in user; `_id` is a hash of the browser's token. */
  dashboard_sessions: { _id: text, user: text, expires: date },
  audit,
  content_blocks: contentBlocks,
  content_versions: contentVersions,
  content_deleted: contentDeleted,
  content_spaces: contentSpaces,
  preference_centers: preferenceCenters,
  /** Empty: writing it shows that MongoDB stores writes. */
  probes: { _id: text, at: date },
};
