/** An event of the hosted event stream, in the form of its storage files, as a line for `roster import`. */

import { exactJson } from '../import/json-line.ts';
import { isRecord, type JsonObject, textIn } from '../json.ts';

/** What becomes of it. `nobody`: only the hosted service's own id names the person. */
export type Told =
  | { kind: 'event' | 'purchase'; id: string; line: JsonObject }
  | { kind: 'other' | 'nobody' };

/** `time` is in seconds. */
const timeOf = ({ time }: JsonObject): string | undefined => {
  const ms = Number(time) * 1000;
  return time !== null && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
};

/** Prices are floats of 32 bits there: 4.99 would become 4.989999771118164. */
const priceOf = ({ price }: JsonObject): JsonObject[string] => {
  if (typeof price !== 'number' || Math.fround(price) !== price) return price ?? null;
  const digits = [1, 2, 3, 4, 5, 6, 7, 8].find(
    (some) => Math.fround(Number(price.toPrecision(some))) === price,
  );
  return digits === undefined ? price : Number(price.toPrecision(digits));
};

/** A text of JSON. */
const propertiesOf = ({ properties }: JsonObject): JsonObject => {
  const found = typeof properties === 'string' ? exactJson(properties) : properties;
  return isRecord(found) ? found : {};
};

const subjectOf = (record: JsonObject): JsonObject | undefined => {
  const [name, product_id, currency] = [record.name, record.product_id, record.currency].map(textIn);
  if (product_id !== undefined && currency !== undefined)
    return { type: 'purchase', product_id, currency, price: priceOf(record) };
  return name !== undefined && record.properties !== undefined ? { type: 'event', name } : undefined;
};

export const readStreamEvent = (record: JsonObject): Told => {
  const [subject, time, id] = [subjectOf(record), timeOf(record), textIn(record.id)];
  if (!subject || time === undefined || id === undefined) return { kind: 'other' };
  const external_id = textIn(record.external_user_id);
  if (!external_id) return { kind: 'nobody' };
  const app_id = textIn(record.app_id);
  const line = { ...subject, external_id, time, ...(app_id && { app_id }), properties: propertiesOf(record) };
  return { kind: subject.type === 'purchase' ? 'purchase' : 'event', id, line };
};
