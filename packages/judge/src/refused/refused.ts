/** A line of the tables: what is sent, and what is answered. */
import type { EntryErrorCode } from '@roster/contract';

export type EntryList = 'attributes' | 'events' | 'purchases';

export interface Refused {
  /** Sent alone in its array. */
  entry: unknown;
  code: EntryErrorCode;
  sentence: string;
}

export interface RefusedRequest {
  path: string;
  body: unknown;
  message: string;
  /** Of the entry that was the cause. */
  code?: EntryErrorCode;
}

export const time = '2026-01-31T12:00:00Z';
export const event = { external_id: 'ada', name: 'signed_in', time };
export const purchase = { external_id: 'ada', product_id: 'tea', currency: 'EUR', price: 4.5, time };
