/** Events, purchases, and what is left of old ones. */
import type { KeyParts } from '../occurrences/key.ts';
import { by, collection, type DocumentIn } from './collection.ts';
import { amount, bytes, date, number, optional, text, textOf } from './members.ts';

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

/** Each of its generations; they have no index but their key. */
export const events = collection(() => ({ ...occurrence, name: text }));

export const purchases = collection(() => ({
  ...occurrence,
  product_id: text,
  currency: text,
  price: number,
  quantity: number,
  /** Price times quantity in the workspace's reporting currency, exactly; absent without a rate for the currency. */
  revenue: optional(amount),
}));

/** As it is read: `time` is when it happened, `at` the stamp of its request. */
export interface EventRow extends KeyParts, Omit<DocumentIn<typeof events>, '_id'> {}
export interface PurchaseRow extends KeyParts, Omit<DocumentIn<typeof purchases>, '_id'> {}

/** As it is written: with the id of its request. */
export type WithRequest<Row> = Row & { request: string };

export const generations = collection(() => ({
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
}));

/** A collection that holds events or purchases of some time: see occurrences/generations.ts. */
export interface GenerationDocument extends DocumentIn<typeof generations> {}

export const totals = collection(
  () => ({
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
  }),
  {
    by_profile: by(
      ['profile', 'last', 'revenue'],
      'What is left of old occurrences of a person: last activity and total revenue from the index alone, and all of it when they are erased.',
    ),
  },
);

/** The total of the occurrences older than their workspace keeps them: of one profile and name. */
export interface TotalDocument extends DocumentIn<typeof totals> {}
