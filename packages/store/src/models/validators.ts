/**
 * MongoDB's own judgement of what is stored: mongoose makes a `$jsonSchema` of each schema, and here it becomes as strict as the types are. Production
 * has none unless the store is opened with `validates`: it costs MongoDB a look at every document that is written.
 */
import { type Db, ensureCollection } from '../connection/db.ts';
import { type CollectionName, collectionNames, collections } from './models.ts';

/** What mongoose writes. */
interface JsonSchema {
  bsonType?: string | string[];
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
}

/** Neither a Long nor a decimal, neither infinite nor no number at all. */
const finite = {
  bsonType: ['int', 'double'],
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
};

const plainNames = '^[^.$]*$';

const mayBeNull = ({ bsonType }: JsonSchema): boolean => Array.isArray(bsonType) && bsonType.includes('null');

const strictMembers = ({ properties = {}, required = [] }: JsonSchema): object => {
  // A member that may be absent is never null: see `optional`. So what may be null is always there.
  const nullable = Object.keys(properties).filter((name) => mayBeNull(properties[name] ?? {}));
  const always = [...required, ...nullable];
  return {
    bsonType: 'object',
    ...(always.length > 0 && { required: always }),
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, strict(one)])),
    additionalProperties: false,
  };
};

const strict = (json: JsonSchema): object => {
  const { bsonType, properties, items, additionalProperties } = json;
  if (properties) return strictMembers(json);
  if (items) return { bsonType, items: strict(items) };
  if (additionalProperties)
    return {
      bsonType,
      patternProperties: { [plainNames]: strict(additionalProperties) },
      additionalProperties: false,
    };
  return bsonType === 'number' ? { ...json, ...finite } : json;
};

const validatorOf = (name: CollectionName): { $jsonSchema: object } => {
  const schema = collections[name].schema();
  const json = schema.toJSONSchema({ useBsonType: true }) as JsonSchema;
  return { $jsonSchema: schema.get('strict') ? strictMembers(json) : json };
};

const validate = async (db: Db, name: CollectionName): Promise<void> => {
  const validator = validatorOf(name);
  await ensureCollection(db, name, { validator });
  await db.command({ collMod: name, validator });
};

/** From now on MongoDB refuses every write of a document that is not as its schema says. New generations take it from `events` and `purchases`. */
export const ensureValidators = async (db: Db): Promise<void> => {
  await Promise.all(collectionNames.map((name) => validate(db, name)));
};
