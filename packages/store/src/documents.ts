/** What a document of each collection looks like. */
import type { Profile } from '@roster/profile';

export type ProfileDocument = Profile;

/** This external id or alias belongs to that profile. For emails and phones a lock, never the truth: see `profiles.email_key`. */
export interface IdentityDocument {
  /** Workspace, kind and value: unique by nature, even when sharded. */
  _id: string;
  profile: string;
  at: number;
}

interface Occurrence {
  /** Request id, colon, position in its array. */
  _id: string;
  ws: string;
  profile: string;
  /** When it happened. */
  time: Date;
  /** Stamp of its request. */
  at: number;
  app_id?: string;
  /** JSON text: whatever names the caller chose, they are only data. */
  properties?: string;
}

export interface EventDocument extends Occurrence {
  name: string;
}

export interface PurchaseDocument extends Occurrence {
  product_id: string;
  currency: string;
  price: number;
  quantity: number;
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
  notes?: { input_array: string; index: number; field?: string; reason: string }[];
  /** Removed by a TTL index from then on. */
  expires: Date;
}

/** Settings of a workspace, an API key: kept whole, under their id. */
export interface RecordDocument {
  _id: string;
  [name: string]: unknown;
}

/** What a dashboard user is allowed; ids, so that things can be renamed. */
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

/** Somebody who may sign in to Roster itself: api.md, dashboard user. */
export interface DashboardUserDocument {
  _id: string;
  company: string;
  /** Stamps of creation and of the last change by a provisioner. */
  at: number;
  changed: number;
  /** Grows with each such change; `meta.version` is made from it. */
  rev: number;
  userName: string;
  externalId?: string;
  name?: { formatted?: string; familyName?: string; givenName?: string };
  displayName?: string;
  active: boolean;
  /** Removed by a provisioner: nobody says that the user may sign in. */
  active_unset?: boolean;
  emails?: DashboardEmail[];
  department?: string;
  permissions?: DashboardPermissions;
  /** Whether it was written with the extension schema, and so is shown with it. */
  extended?: boolean;
  signed_in?: Date;
  password?: { salt: string; hash: string };
}

/** This userName or email, in lower case, belongs to that dashboard user: unique by its `_id`. */
export interface DashboardClaimDocument {
  _id: string;
  user: string;
}

/** Somebody is signed in; `_id` is a hash of what the browser holds. */
export interface DashboardSessionDocument {
  _id: string;
  user: string;
  expires: Date;
}

export interface AuditDocument {
  /** Number of the row, with leading zeros. */
  _id: string;
  at: number;
  by: string;
  what: string;
  target: string;
  company?: string;
  request?: string;
  fields?: string[];
  set?: Record<string, unknown>;
  /** Hash of the row before. */
  before: string;
  hash: string;
}
