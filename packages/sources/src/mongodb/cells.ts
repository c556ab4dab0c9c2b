/** Values of BSON in plain form, and those that stand in a cursor. */
import { Binary, BSON, Decimal128, ObjectId } from 'mongodb';
import { noKey, wholeKey } from '../keys.ts';
import { decimal } from '../numbers.ts';
import type { Cell } from '../source.ts';
import { SourceError } from '../source-error.ts';

const binary = (value: Binary): string =>
  value.sub_type === Binary.SUBTYPE_UUID ? value.toUUID().toString() : value.toString('base64');

const special = (value: object): Cell | undefined => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Decimal128) return decimal(value.toString());
  if (value instanceof Binary) return binary(value);
  return '_bsontype' in value ? BSON.EJSON.stringify(value) : undefined;
};

/** MongoDB itself bounds the depth of a document. */
export const toCell = (value: unknown): Cell => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return decimal(String(value));
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toCell);
  if (typeof value !== 'object') return String(value);
  return special(value) ?? toRow(value);
};

export const toRow = (document: object): Readonly<Record<string, Cell>> =>
  Object.fromEntries(Object.entries(document).map(([name, value]) => [name, toCell(value)]));

/** Numbers of different types are equal to MongoDB. */
const oneForm = (value: unknown): unknown => {
  const plain = typeof value === 'bigint' || value instanceof Decimal128 ? decimal(String(value)) : value;
  return typeof plain === 'string' ? value : plain;
};

/** Texts are marked, so that one may be cut without becoming another value. */
export const tieText = (given: unknown): string | null => {
  if (given === undefined || given === null) return null;
  if (typeof given === 'string') return `s${given}`;
  const value = oneForm(given);
  return `j${BSON.EJSON.stringify(value, { relaxed: false })}`;
};

/** BSON orders values by their types first. Only what has one order with its text can be a key. */
export const keyOf = (given: unknown): string => {
  if (given === undefined || given === null) return noKey.first;
  if (typeof given === 'string') return `2${given}`;
  const value = oneForm(given);
  if (/^-?\d+$/.test(String(value)) && typeof value !== 'object') return `1${wholeKey(String(value))}`;
  if (value instanceof Binary && value.sub_type === Binary.SUBTYPE_UUID)
    return `3${value.toUUID().toHexString()}`;
  if (value instanceof ObjectId) return `4${value.toHexString()}`;
  throw new SourceError(
    'wrong_type',
    'the key of a document must be a text, a whole number, an ObjectId or a UUID',
  );
};

export const tieValue = (text: string | null): unknown => {
  if (text === null) return null;
  if (text.startsWith('s')) return text.slice(1);
  const { value } = BSON.EJSON.parse(`{"value":${text.slice(1)}}`, { relaxed: false });
  return value;
};
