/** Values of Parquet in plain form: exact, where the library would make them the nearest number or a date of milliseconds. */
import { isUtf8 } from 'node:buffer';
import type { ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet';
import { attempted } from '../members.ts';
import { decimal, jsonCell, wholeNumber } from '../numbers.ts';
import type { Cell } from '../source.ts';

/** Units since 1970 as a moment with as many digits as the unit has; what no calendar has stays a number. */
const momentText = (units: bigint | number, digits: 3 | 6 | 9): string => {
  const [scale, exact] = [10 ** digits, Number(units)];
  const rest = Number.isSafeInteger(exact) ? exact % scale : Number(BigInt(units) % BigInt(scale));
  const fraction = rest < 0 ? rest + scale : rest;
  // What is left are whole seconds: a number holds them.
  const ms = Math.round((exact - fraction) / scale) * 1_000;
  if (Math.abs(ms) > 8.64e15) return String(units);
  return `${new Date(ms).toISOString().slice(0, -5)}.${String(fraction).padStart(digits, '0')}Z`;
};

const time = (units: bigint | number, digits: 3 | 6 | 9): string => momentText(units, digits).slice(11, -1);

const decoder = new TextDecoder();

const json = (bytes: Uint8Array | undefined): unknown => {
  const text = bytes && decoder.decode(bytes);
  return attempted(() => text && jsonCell(text), text);
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Older writers do not tell texts from bytes. */
const text = (bytes: Uint8Array): string => (isUtf8(bytes) ? decoder.decode(bytes) : `\\x${hex(bytes)}`);

export const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (units) => momentText(units, 3),
  timestampFromMicroseconds: (units) => momentText(units, 6),
  timestampFromNanoseconds: (units) => momentText(units, 9),
  dateFromDays: (days) => momentText(days * 86_400_000, 3).slice(0, -14),
  stringFromBytes: (bytes) => bytes && text(bytes),
  jsonFromBytes: json,
  uuidFromBytes: (bytes) => bytes,
  geometryFromBytes: (bytes) => bytes,
  geographyFromBytes: (bytes) => bytes,
};

const uuid = (bytes: Uint8Array): string =>
  hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const unscaled = (value: unknown): bigint => {
  if (value instanceof Uint8Array) return BigInt.asIntN(8 * value.length, BigInt(`0x${hex(value) || '0'}`));
  return BigInt(typeof value === 'bigint' || typeof value === 'number' ? value : 0);
};

const decimalOf = (value: unknown, scale: number): Cell => {
  const whole = unscaled(value);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const text = scale > 0 ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits;
  return decimal(whole < 0n ? `-${text}` : text);
};

export type Scales = ReadonlyMap<SchemaElement, number>;

/** Takes decimals and UUIDs off the schema, so that their values come as they are stored. */
export const takeDecimals = (schema: SchemaElement[]): Scales => {
  const scales = new Map<SchemaElement, number>();
  for (const element of schema) {
    if (element.converted_type !== 'DECIMAL' && element.logical_type?.type !== 'DECIMAL') continue;
    scales.set(element, element.scale ?? 0);
    delete element.converted_type;
    delete element.logical_type;
    // Otherwise it would be read as a text.
    if (element.type === 'BYTE_ARRAY') element.logical_type = { type: 'UUID' };
  }
  return scales;
};

const digitsOfUnit = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

/** The digits of a second that a time of the day has; none for another type. */
const digitsOfTime = ({ logical_type, converted_type }: SchemaElement): 3 | 6 | 9 | undefined => {
  if (logical_type?.type === 'TIME') return digitsOfUnit[logical_type.unit];
  if (converted_type === 'TIME_MILLIS') return 3;
  return converted_type === 'TIME_MICROS' ? 6 : undefined;
};

const leaf = (element: SchemaElement, value: unknown): Cell => {
  const digits = digitsOfTime(element);
  if (digits && (typeof value === 'bigint' || typeof value === 'number')) return time(value, digits);
  if (typeof value === 'bigint') return wholeNumber(String(value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof Uint8Array)
    return element.logical_type?.type === 'UUID' ? uuid(value) : `\\x${hex(value)}`;
  // A column of JSON.
  return value as Cell;
};

/** The element of a list, the value of a map. */
const inside = (node: SchemaTree): SchemaTree => {
  if (node.element.repetition_type === 'REPEATED') return node;
  const repeated = node.children[0];
  return repeated?.children.at(-1) ?? repeated ?? node;
};

export const createPlain = (scales: Scales) => {
  const plain = (node: SchemaTree, value: unknown): Cell => {
    if (value === null || value === undefined) return null;
    const scale = scales.get(node.element);
    if (Array.isArray(value) && node.element.converted_type !== 'JSON')
      return value.map((one) => plain(inside(node), one));
    if (scale !== undefined) return decimalOf(value, scale);
    if (node.children.length === 0) return leaf(node.element, value);
    const fields = new Map(node.children.map((child) => [child.element.name, child]));
    const isStruct = Object.keys(value).every((name) => fields.has(name));
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        plain((isStruct && fields.get(name)) || inside(node), one),
      ]),
    );
  };
  return plain;
};

export const sizeOfMember = (name: string, cell: Cell): number => 8 + name.length + sizeOf(cell);

/** What a cell takes, about. */
export const sizeOf = (cell: Cell): number => {
  if (typeof cell === 'string') return cell.length;
  if (typeof cell !== 'object' || cell === null) return 8;
  return Object.entries(cell).reduce((sum, [name, one]) => sum + sizeOfMember(name, one), 8);
};
