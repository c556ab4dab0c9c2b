/** The documents of each collection. */
import type { Consent, Profile } from '@roster/profile';
import type { Decimal } from './decimal.ts';
import type {
  IntegrationDocument,
  SyncChunkDocument,
  SyncJobDocument,
  SyncKeptDocument,
  SyncRetryDocument,
  SyncRowDocument,
} from './integrations/documents.ts';
import type {
  ActivityDocument,
  DeliveryDocument,
  LaneDocument,
  ScheduleDocument,
  SendDocument,
} from './messages/documents.ts';
import type { KeyParts } from './occurrences/key.ts';

export type ProfileDocument = Profile;

/** This external id or alias belongs to that profile. For emails and phones a lock, never the truth: see `profiles.email_key`. */
export interface IdentityDocument {
  /** Workspace, kind and value: unique by nature, even when sharded. */
  _id: string;
  profile: string;
  at: number;
  /** When a merge last moved it to the kept profile. Its tombstone names the owner before. */
  moved?: number;
}

/** The statements about an email or phone: they count for all people who have it. */
export interface ContactDocument {
  /** Identity key of the email or phone; or `#` and a digest of it: see contacts.ts. */
  _id: string;
  ws: string;
  consents: Consent[];
  /** The contact may have no owner: when this is checked. */
  due?: Date;
}

/** The proof of the consent of an erased person: one change of it. */
export interface ConsentDocument {
  _id: string;
  ws: string;
  n: number;
  op?: string;
  k: string;
  from: Consent['v'];
  to: Consent['v'];
  at: number;
  /** Keyed digests of their identity keys. */
  proof: string[];
}

export type Kind = 'events' | 'purchases';

/** @public The declarations of open-store.ts name it. Profile, time, stamp and place are in its key: see occurrences/key.ts. */
export interface StoredOccurrence {
  _id: Buffer;
  ws: string;
  app_id?: string;
  /** JSON text: the names in it are the caller's, so they are only data. */
  properties?: string;
}

/** @public The declarations of open-store.ts name it. */
export interface OfEvent {
  name: string;
}

/** @public The declarations of open-store.ts name it. */
export interface OfPurchase {
  product_id: string;
  currency: string;
  price: number;
  quantity: number;
  /** Price times quantity in the workspace's reporting currency, exactly; absent without a rate for the currency. */
  revenue?: Decimal;
}

/** @public The declarations of open-store.ts name it. As it is stored. */
export type EventDocument = StoredOccurrence & OfEvent;
/** @public The declarations of open-store.ts name it. */
export type PurchaseDocument = StoredOccurrence & OfPurchase;

/** @public The declarations of open-store.ts name it. As it is read: `time` is when it happened, `at` the stamp of its request. */
export type Occurrence = KeyParts & Omit<StoredOccurrence, '_id'>;

export type EventRow = Occurrence & OfEvent;
export type PurchaseRow = Occurrence & OfPurchase;

/** As it is written: with the id of its request. */
export type Sent<Row> = Row & { request: string };

/** A collection that holds events or purchases of some time: see occurrences/generations.ts. */
export interface GenerationDocument {
  /** Its name. */
  _id: string;
  of: Kind;
  n: number;
  /** A day: no row is older. Absent as long as nothing was written. */
  oldest?: Date;
  /** When the next one took over. */
  closed?: Date;
  /** When it was found empty. */
  emptied?: Date;
  /** How often its rows were merged into a larger one: absent before the first time. */
  tier?: number;
  /** The larger generation that takes its rows. */
  into?: string;
}

/** The total of the occurrences older than their workspace keeps them: of one profile and name. */
export interface TotalDocument {
  /** See `totalId`. */
  _id: string;
  ws: string;
  profile: string;
  of: Kind;
  /** The name of the event, or the id of the product. */
  name: string;
  first: Date;
  last: Date;
  count: number;
  /** Absent when no occurrence had any. */
  revenue?: Decimal;
}

/** The mark that a request is applied, or failed; it is also the outcome that callers read. */
export interface RequestDocument {
  /** Request id. */
  _id: string;
  ws: string;
  op: string;
  at: number;
  state: 'applied' | 'failed';
  applied: Date;
  /** Run-length: `updated*49`. */
  entries?: Record<string, string[]>;
  reason?: string;
  /** Of an operation that is asked again and must answer the same: what it answered. `code`: which case a refusal is. */
  answer?: { status: number; body: string; code?: string };
  notes?: { input_array: string; index: number; field?: string; reason: string; count?: number }[];
  /** Removed by a TTL index from then on. */
  expires: Date;
}

/** An identifier whose person was deleted (no `to`) or merged away into the service id `to`, for requests stamped up to `at`. */
export interface TombstoneDocument {
  /** Keyed digest of the identity key. */
  _id: string;
  ws: string;
  at: number;
  to?: string;
  part?: true;
  earlier?: { at: number; to?: string; part?: true }[];
  /** Removed by a TTL index from then on. */
  expires: Date;
}

/** A deleted person, invisible to all readers: the remains have to be removed, now and once more when no request about them can be under way. */
export interface SweepDocument {
  _id: string;
  ws: string;
  /** Service ids. */
  profiles: string[];
  /** Identity keys that only this person had. */
  keys: string[];
  /** Identity keys of emails and phones that they had before. */
  former?: string[];
  /** All their data is stamped up to here. */
  at: number;
  /** The stamp of the deletion: later statements about their contacts stay. */
  accepted?: number;
  /** Dead letters up to this stamp are about them; up to `at` without it. */
  until?: number;
  round: 1 | 2;
  /** When the round may begin. A process that takes it moves this on, so that another process repeats it if the first one dies. */
  due: Date;
}

/** Settings of a workspace, an API key: kept whole, under their id. */
export interface RecordDocument {
  _id: string;
  [name: string]: unknown;
}

/** The permissions of a dashboard user; ids, so that things can be renamed. */
export interface DashboardPermissions {
  company: string[];
  roles: string[];
  workspaces: {
    id: string;
    permissions: string[];
    sets: string[];
    teams: { id: string; permissions: string[] }[];
  }[];
}

export interface DashboardEmail {
  value: string;
  type?: string;
  primary?: boolean;
}

/** A person who may sign in to Roster itself: api.md, dashboard user. */
export interface DashboardUserDocument {
  _id: string;
  company: string;
  /** Stamps of creation and of the last change by a provisioner. */
  at: number;
  changed: number;
  /** Stamp of the latest request about the user, also of one that changed nothing; without any, the stamp of `changed`. */
  said?: number;
  /** Grows with each such change; `meta.version` is made from it. */
  rev: number;
  userName: string;
  externalId?: string;
  name?: { formatted?: string; familyName?: string; givenName?: string };
  displayName?: string;
  active: boolean;
  /** Removed by a provisioner: no source allows the user to sign in. */
  active_unset?: boolean;
  emails?: DashboardEmail[];
  department?: string;
  permissions?: DashboardPermissions;
  /** Whether it was written with the extension schema, and so is shown with it. */
  extended?: boolean;
  signed_in?: Date;
  password?: { salt: string; hash: string };
}

/** @public The declarations of open-store.ts name it. This userName or email, in lower case, belongs to that dashboard user: unique by its `_id`. */
export interface DashboardClaimDocument {
  _id: string;
  user: string;
}

/** @public The declarations of open-store.ts name it. A session of a signed-in user; `_id` is a hash of the browser's token. */
export interface DashboardSessionDocument {
  _id: string;
  user: string;
  expires: Date;
}

export interface AuditEntry {
  /** When, in stamps: microseconds since the epoch. */
  at: number;
  /** The actor: `scim:<id of the token>`, `key:<id>`, `cli:<name of the person's account>`, `user:<id>`; `unknown` without any. */
  by: string;
  /** Such as `user.created`. */
  what: string;
  /** The object of the change: an id, never a contact or a name of a person. */
  target: string;
  company?: string;
  /** The request of the change; each request stands here at most once. */
  request?: string;
  /** Names of the changed members. */
  fields?: string[];
  /** The new values, where they are no personal data. */
  set?: Record<string, unknown>;
}

export interface AuditDocument extends AuditEntry {
  /** Number of the row, with leading zeros. */
  _id: string;
  /** Hash of the row before. */
  before: string;
  hash: string;
}

/** @public The declarations of open-store.ts name it. A content block after one change. */
export interface ContentVersion {
  ws: string;
  /** Counts the changes, from 1. */
  version: number;
  name: string;
  description?: string;
  content: string;
  state: 'active' | 'draft';
  tags: string[];
  /** Names of the blocks that the content includes. */
  includes: string[];
  /** Members that are different from the version before. */
  changed: string[];
  /** Stamp of the change, and the id of the key that made it. */
  edited: number;
  by?: string;
}

/** A content block as it is now. */
export interface ContentBlockDocument extends ContentVersion {
  _id: string;
  /** Stamp of its creation. */
  created: number;
}

/** @public The declarations of open-store.ts name it. A content block as it was before a change. */
export interface ContentVersionDocument extends ContentVersion {
  /** Id of the block, colon, version. */
  _id: string;
  block: string;
}

/** @public The declarations of open-store.ts name it. Who asks for a deleted block is told so. */
export interface ContentDeletedDocument {
  /** Id of the block. */
  _id: string;
  ws: string;
  /** Stamp of the deletion, and the id of the key. */
  at: number;
  by?: string;
  /** Removed by a TTL index from then on. */
  expires: Date;
}

/**
 * @public The declarations of open-store.ts name it. Every change of the content of a workspace writes this document, so of two at once one is tried again: names, references and numbers are
 * checked against what no other change can alter meanwhile.
 */
export interface ContentSpaceDocument {
  /** Workspace. */
  _id: string;
  changes: number;
  blocks: number;
  versions: number;
}

/** A page on which people choose what they get. */
export interface PreferenceCenterDocument {
  _id: string;
  ws: string;
  /** Unique in the workspace; never changes. */
  name: string;
  title: string;
  /** The page with the form, and the page after it: HTML with Liquid. */
  page: string;
  confirmation: string;
  state: 'active' | 'draft';
  options: {
    viewport?: string;
    links: { rel: string; type?: string; sizes?: string; color?: string; href: string }[];
    /** Scripts inside of the pages run. */
    scripts?: true;
  };
  /** Names of the content blocks that the two pages include. */
  includes: string[];
  /** Stamps of its creation and its last change, and the id of the key that made it. */
  created: number;
  edited: number;
  by?: string;
}

/** Without content: that it can be written shows that MongoDB stores writes. */
export interface ProbeDocument {
  _id: string;
  at: Date;
}

/** Every collection, by its name in the database; `events` and `purchases` stand for all of their generations. */
export interface Documents {
  profiles: ProfileDocument;
  identities: IdentityDocument;
  contacts: ContactDocument;
  consents: ConsentDocument;
  events: EventDocument;
  purchases: PurchaseDocument;
  generations: GenerationDocument;
  totals: TotalDocument;
  requests: RequestDocument;
  tombstones: TombstoneDocument;
  sweeps: SweepDocument;
  workspaces: RecordDocument;
  keys: RecordDocument;
  companies: RecordDocument;
  scim_tokens: RecordDocument;
  dashboard_users: DashboardUserDocument;
  dashboard_claims: DashboardClaimDocument;
  dashboard_sessions: DashboardSessionDocument;
  audit: AuditDocument;
  content_blocks: ContentBlockDocument;
  content_versions: ContentVersionDocument;
  content_deleted: ContentDeletedDocument;
  content_spaces: ContentSpaceDocument;
  preference_centers: PreferenceCenterDocument;
  schedules: ScheduleDocument;
  deliveries: DeliveryDocument;
  sends: SendDocument;
  lanes: LaneDocument;
  activities: ActivityDocument;
  integrations: IntegrationDocument;
  sync_jobs: SyncJobDocument;
  sync_chunks: SyncChunkDocument;
  sync_kept: SyncKeptDocument;
  sync_rows: SyncRowDocument;
  sync_retries: SyncRetryDocument;
  probes: ProbeDocument;
}

export type CollectionName = keyof Documents;
