/** A line of the tables: what is sent, and what is answered. */
import type { EntryErrorCode } from '@roster/contract';

export type EntryList = 'attributes' | 'events' | 'purchases';

export interface Refused {
  title: string;
  /** Sent alone in its array. */
  entry: unknown;
  code: EntryErrorCode;
  /** Without it any sentence will do. */
  sentence?: string;
}

export interface RefusedRequest {
  title: string;
  path: string;
  body: unknown;
  message: string;
  /** Of the entry that was the cause. */
  code?: EntryErrorCode;
}

export const time = '2026-01-01T12:00:00Z';
export const event = { external_id: 'x', name: 'seen', time };
export const purchase = { external_id: 'x', product_id: 'tea', currency: 'EUR', price: 4.5, time };
