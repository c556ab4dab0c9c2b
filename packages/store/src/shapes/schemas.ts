/** The shapes as mongoose schemas. They are made on demand: tests need them, the services write without them. */
import { type Connection, Schema, type SchemaDefinition, type SchemaOptions } from 'mongoose';
import { type Described, DocumentPart } from './paths.ts';
import { recordNames, shapes } from './shapes.ts';

/** A present text may be empty: mongoose would take it for missing. */
Schema.Types.String.checkRequired((value: unknown) => typeof value === 'string');

const options: SchemaOptions = {
  // A member outside the schema is dropped: a comparison with the stored document then shows its path, and an error would not.
  strict: true,
  strictQuery: 'throw',
  autoIndex: false,
  autoCreate: false,
  bufferCommands: false,
  versionKey: false,
  minimize: false,
};

const ofParts: SchemaOptions = { ...options, _id: false, suppressReservedKeysWarning: true };

const typeIn = (type: unknown): unknown => {
  if (Array.isArray(type)) return type.map(propertyIn);
  return type instanceof DocumentPart ? new Schema(definitionIn(type.members), ofParts) : type;
};

const propertyIn = ({ type, of, ...rest }: Described): object => ({
  ...rest,
  type: typeIn(type),
  ...(of && { of: propertyIn(of) }),
});

const definitionIn = (shape: Readonly<Record<string, Described>>): SchemaDefinition =>
  Object.fromEntries(Object.entries(shape).map(([name, path]) => [name, propertyIn(path)]));

const records: ReadonlySet<string> = new Set(recordNames);

export const isDescribed = (collection: string): boolean => Object.hasOwn(shapes, collection);

/** A model of every collection, or of these. */
export const modelsOn = (connection: Connection, names: readonly string[] = Object.keys(shapes)) => {
  for (const [name, shape] of Object.entries(shapes)) {
    if (connection.models[name] || !names.includes(name)) continue;
    const isRecord = records.has(name);
    connection.model(name, new Schema(definitionIn(shape), { ...options, strict: !isRecord }), name);
  }
  return connection.models;
};
