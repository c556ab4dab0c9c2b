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
