/** A collection: the members of its documents, and its indexes, each with the query that needs it. */
import mongoose from 'mongoose';
import type { DocumentOf } from './members.ts';
import { withoutValues } from './misfit.ts';

export interface DeclaredIndex {
  key: Record<string, 1 | -1>;
  options?: Pick<
    mongoose.mongo.CreateIndexesOptions,
    'expireAfterSeconds' | 'partialFilterExpression' | 'unique'
  >;
  reason: string;
}

type Indexes = Readonly<Record<string, DeclaredIndex>>;

const options: mongoose.SchemaOptions = {
  // What is stored is what was written: nothing is added, cast or left out, and an unknown member is an error.
  ...{ _id: false, id: false, versionKey: false, strict: 'throw', minimize: false },
  ...{ autoCreate: false, autoIndex: false, bufferCommands: false, suppressReservedKeysWarning: true },
};

const writes = /^(save|insertMany|updateOne|replaceOne|findOneAndUpdate)$/;

/**
 * `open`: the store does not know all members. The schema is made when it is first asked for, so a program pays only for those that it uses.
 */
export const collection = <Members extends object>(
  members: () => Members,
  indexes: Indexes = {},
  { open = false } = {},
) => {
  let made: mongoose.Schema | undefined;
  const make = (): mongoose.Schema => {
    const definition = members() as mongoose.SchemaDefinition;
    const schema = new mongoose.Schema(definition, { ...options, ...(open && { strict: false }) });
    for (const [name, { key, options: more }] of Object.entries(indexes))
      schema.index(key, { name, ...more });
    schema.post(writes, withoutValues);
    return schema;
  };
  return {
    members,
    indexes,
    schema(): mongoose.Schema {
      made ??= make();
      return made;
    },
  };
};

/** The type of its documents. */
export type DocumentIn<Described extends { members(): object }> = DocumentOf<
  ReturnType<Described['members']>
>;

/** By these members, upwards. */
export const by = (members: readonly string[], reason: string): DeclaredIndex => ({
  key: Object.fromEntries(members.map((member) => [member, 1])),
  reason,
});

/** The same as a partial index: of the documents that have one of these members, the last one unless said otherwise. */
export const partialBy = (
  members: readonly string[],
  reason: string,
  member = members.at(-1) ?? '',
): DeclaredIndex => ({
  ...by(members, reason),
  options: { partialFilterExpression: { [member]: { $exists: true } } },
});

export const atExpiry = (reason: string): DeclaredIndex => ({
  key: { expires: 1 },
  options: { expireAfterSeconds: 0 },
  reason,
});
