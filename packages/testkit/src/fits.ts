/**
 * Whether a document fits its schema beyond doubt, without the documents of mongoose: they take a hundred times as long. What is doubtful is
 * no misfit yet; mongoose judges it (misfits.ts).
 */
import type { Schema, SchemaType } from 'mongoose';

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  Object.prototype.toString.call(value) === '[object Object]' && !Object.hasOwn(value as object, '_bsontype');

const isBson =
  (type: string) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === type;

/** `item`: the type of the items, where there are any. */
type Rule = (value: unknown, type: SchemaType, item: SchemaType | undefined) => boolean;

const fitsPart: Rule = (value, { schema }) => schema !== undefined && isObject(value) && fits(value, schema);

const fitsList: Rule = (value, _type, item) =>
  Array.isArray(value) && item !== undefined && value.every((one) => fitsType(one, item));

/** mongoose refuses names with dots and dollars. */
const fitsMap: Rule = (value, _type, item) =>
  isObject(value) &&
  item !== undefined &&
  Object.entries(value).every(([name, one]) => !/[.$]/.test(name) && fitsType(one, item));

/** By the name that mongoose has for the type. */
const rules: Readonly<Record<string, Rule>> = {
  String: (value) => typeof value === 'string',
  Number: (value) => Number.isFinite(value),
  Boolean: (value) => typeof value === 'boolean',
  Date: (value) => value instanceof Date && Number.isFinite(value.getTime()),
  Buffer: isBson('Binary'),
  Decimal128: isBson('Decimal128'),
  Mixed: (value) => value !== undefined && value !== null,
  Embedded: fitsPart,
  DocumentArrayElement: fitsPart,
  Array: fitsList,
  Map: fitsMap,
};

const isOneOf = (value: unknown, values: readonly unknown[] = []): boolean =>
  values.length === 0 || values.includes(value);

const fitsType = (value: unknown, type: SchemaType, item = type.getEmbeddedSchemaType()): boolean => {
  const { enum: values, validate = () => true, default: usual } = type.options;
  if (value === null) return usual === null || type.instance === 'Mixed';
  const isOfType = rules[type.instance]?.(value, type, item) === true;
  return isOfType && isOneOf(value, values) && validate(value) === true;
};

/** Neither wanted nor given a value by mongoose. */
const mayBeAbsent = ({ options }: SchemaType): boolean => !options.required && options.default === undefined;

/** mongoose has the items of a map among the paths. */
const ofItems = '.$*';

export const fits = (stored: Members, { paths }: Schema): boolean =>
  Object.keys(stored).every((name) => Object.hasOwn(paths, name)) &&
  Object.entries(paths).every(([name, type]) => {
    if (name.endsWith(ofItems)) return true;
    if (!Object.hasOwn(stored, name)) return mayBeAbsent(type);
    return fitsType(stored[name], type, paths[name + ofItems]);
  });
