/** Events and purchases: things that happened at a time. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { isCurrency, wasCurrency } from '../formats/currency.ts';
import { isCleanText, unclean } from '../formats/text.ts';
import { parseTime } from '../formats/time.ts';
import type { EntryFault, EntryKind, JsonObject } from '../operation.ts';
import { label, maybe, objectShape, text, textOrNull, whole } from '../shape.ts';
import type { Identifiers } from '../types.ts';
import { fault, faultAt } from './fault.ts';
import {
  hasGoodIdentifier,
  identifierErrors,
  identifiers,
  isIdentified,
  tidyIdentifiers,
} from './identifiers.ts';
import { hasGoodProperties, properties } from './properties.ts';

const notValid = 'QUANTITY_INVALID';
/** Amounts beyond it are mistakes, and could not be summed up exactly. */
const HIGHEST_PRICE = 1e15;

const occurrence = {
  app_id: maybe(textOrNull('Id of the app it happened in.', { maxLength: 255 })),
  time: text(
    'When it happened: ISO 8601 with calendar dates and at least minutes, or another accepted format. No zone is UTC; a date alone is its midnight; `24:00:00` is the next midnight; ' +
      'a time in the future becomes the time of acceptance.',
    { maxLength: 64 },
  ),
  properties: maybe(properties),
};

const eventEntry = objectShape(
  'EventEntry',
  'One occurrence of a custom event. Equal events are kept separately.',
  { ...identifiers, name: label('Name of the event.'), ...occurrence },
);

const purchaseEntry = objectShape('PurchaseEntry', 'One purchase.', {
  ...identifiers,
  product_id: label('Id of the product.'),
  currency: text('ISO 4217 code, such as `USD`; a withdrawn one for a time at which it was in use.', {
    maxLength: 255,
  }),
  price: Type.Number({
    minimum: -HIGHEST_PRICE,
    maximum: HIGHEST_PRICE,
    description:
      'Price of one, in base units: 12.12 is 12 dollars and 12 cents. Negative for what was given back.',
  }),
  quantity: maybe(
    whole('How many were bought: that many purchases at this price.', {
      minimum: 1,
      maximum: 100,
      default: 1,
      'x-errors': { type: notValid, minimum: notValid, maximum: notValid },
    }),
  ),
  ...occurrence,
});

/** As they were accepted: an external id is a text. */
type Accepted<Entry extends TSchema> = Omit<Static<Entry>, keyof Identifiers> & Identifiers;

export type EventEntry = Accepted<typeof eventEntry>;
export type PurchaseEntry = Accepted<typeof purchaseEntry>;

/** Any other member is ignored, and named in the outcome. */
export const eventMembers: ReadonlySet<string> = new Set(Object.keys(eventEntry.properties));
export const purchaseMembers: ReadonlySet<string> = new Set(Object.keys(purchaseEntry.properties));

function isCleanAt(name: 'name' | 'product_id' | 'app_id') {
  return (entry: JsonObject): EntryFault | undefined => {
    const value = entry[name];
    if (typeof value !== 'string' || isCleanText(value)) return undefined;
    return faultAt('TEXT_NOT_WELL_FORMED', `.${name}`, unclean);
  };
}

function hasGoodTime({ time }: JsonObject): EntryFault | undefined {
  return parseTime(String(time)) === undefined
    ? faultAt('TIME_INVALID', '.time', 'must be a time such as 2026-01-31T12:00:00Z')
    : undefined;
}

function hasGoodCurrency({ currency, time }: JsonObject): EntryFault | undefined {
  const code = String(currency);
  return isCurrency(code) || wasCurrency(code, parseTime(String(time)))
    ? undefined
    : fault('CURRENCY_INVALID');
}

const occurrenceErrors = [
  ...identifierErrors,
  'PROPERTY_NAME_INVALID',
  'PROPERTY_NAME_RESERVED',
  'PROPERTY_VALUE_INVALID',
  'TOO_MANY_PROPERTIES',
  'PROPERTIES_TOO_LARGE',
] as const;

export const events: EntryKind = {
  array: 'events',
  counter: 'events_processed',
  schema: eventEntry,
  before: [isIdentified],
  tidy: tidyIdentifiers,
  rules: [hasGoodIdentifier, isCleanAt('name'), isCleanAt('app_id'), hasGoodTime, hasGoodProperties],
  errors: occurrenceErrors,
};

export const purchases: EntryKind = {
  array: 'purchases',
  counter: 'purchases_processed',
  schema: purchaseEntry,
  before: [isIdentified],
  tidy: tidyIdentifiers,
  rules: [
    hasGoodIdentifier,
    isCleanAt('product_id'),
    isCleanAt('app_id'),
    hasGoodTime,
    hasGoodCurrency,
    hasGoodProperties,
  ],
  errors: [...occurrenceErrors, 'QUANTITY_INVALID', 'CURRENCY_INVALID'],
};
