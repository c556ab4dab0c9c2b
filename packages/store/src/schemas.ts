/**
 * The shape of every collection, for mongoose. The hot path writes through the models' own collections without casting; a test
 * holds what it writes to these schemas.
 */
import { Schema, type SchemaDefinition } from 'mongoose';

const options = {
  strict: 'throw',
  strictQuery: 'throw',
  autoIndex: false,
  autoCreate: false,
  bufferCommands: false,
  versionKey: false,
  minimize: false,
} as const;

const schema = (definition: SchemaDefinition): Schema => new Schema(definition, options);
const part = (definition: SchemaDefinition): Schema =>
  new Schema(definition, { ...options, _id: false, suppressReservedKeysWarning: true });

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;
const anything = Schema.Types.Mixed;

const occurrence = {
  _id: text,
  ws: text,
  profile: text,
  time: date,
  at: number,
  app_id: String,
  properties: String,
};

const texts = { type: [String], default: undefined };

const attribute = part({
  k: String,
  v: anything,
  at: number,
  from: texts,
  base: anything,
  steps: {
    type: [
      part({
        at: Number,
        n: Number,
        inc: Number,
        add: { type: [anything], default: undefined },
        remove: { type: [anything], default: undefined },
        most: Number,
        merge: anything,
        objects: anything,
      }),
    ],
    default: undefined,
  },
});

const said = {
  v: String,
  at: number,
  n: Number,
  op: String,
  of: String,
  from: String,
  on: Number,
  gone: Boolean,
};
const consent = part({ k: String, ...said, earlier: { type: [part(said)], default: undefined } });

const list = part({
  cleared: Number,
  items: { type: [part({ k: String, v: anything, at: number })], default: undefined },
});

export const schemas = {
  profiles: schema({
    _id: text,
    ws: text,
    external_id: String,
    former_ids: texts,
    aliases: { type: [part({ label: String, name: String })], default: undefined },
    email_key: String,
    phone_key: String,
    device_keys: texts,
    token_keys: texts,
    fields: {
      type: Map,
      of: part({ v: anything, at: number, since: Number, other: Number, from: texts }),
      required: true,
    },
    lists: { type: Map, of: list, required: true },
    consents: { type: [consent], required: true },
    contacts: {
      type: [part({ c: String, v: String, at: number, of: String, via: String })],
      default: undefined,
    },
    custom: { type: [attribute], required: true },
    absorbed: texts,
    created_at: number,
    updated_at: number,
  }),
  identities: schema({ _id: text, profile: text, at: number, moved: Number }),
  contacts: schema({
    _id: text,
    ws: text,
    consents: { type: [consent], required: true },
    due: Date,
  }),
  consents: schema({
    _id: text,
    ws: text,
    n: number,
    op: String,
    k: text,
    from: String,
    to: String,
    at: number,
    proof: { type: [String], required: true },
  }),
  events: schema({ ...occurrence, name: text }),
  purchases: schema({
    ...occurrence,
    product_id: text,
    currency: text,
    price: number,
    quantity: number,
    revenue: Schema.Types.Decimal128,
  }),
  totals: schema({
    _id: text,
    ws: text,
    profile: text,
    of: { type: String, enum: ['events', 'purchases'], required: true },
    name: text,
    first: date,
    last: date,
    count: number,
    revenue: Schema.Types.Decimal128,
  }),
  requests: schema({
    _id: text,
    ws: text,
    op: text,
    at: number,
    state: { type: String, enum: ['applied', 'failed'], required: true },
    applied: date,
    entries: { type: Map, of: [String] },
    reason: String,
    notes: {
      type: [part({ input_array: String, index: Number, field: String, reason: String })],
      default: undefined,
    },
    expires: date,
  }),
  sweeps: schema({
    _id: text,
    ws: text,
    profiles: [String],
    keys: [String],
    former: texts,
    accepted: Number,
    until: Number,
    at: number,
    round: number,
    due: date,
  }),
  tombstones: schema({
    _id: text,
    ws: text,
    at: number,
    to: String,
    part: Boolean,
    earlier: { type: [part({ at: Number, to: String, part: Boolean })], default: undefined },
    expires: date,
  }),
  dashboard_users: schema({
    _id: text,
    company: text,
    at: number,
    changed: number,
    said: Number,
    rev: number,
    userName: text,
    externalId: String,
    name: part({ formatted: String, familyName: String, givenName: String }),
    displayName: String,
    active: { type: Boolean, required: true },
    active_unset: Boolean,
    emails: {
      type: [
        new Schema({ value: String, type: { type: String }, primary: Boolean }, { ...options, _id: false }),
      ],
      default: undefined,
    },
    department: String,
    permissions: part({
      company: [String],
      roles: [String],
      workspaces: [
        part({
          id: String,
          permissions: [String],
          sets: [String],
          teams: [part({ id: String, permissions: [String] })],
        }),
      ],
    }),
    extended: Boolean,
    signed_in: Date,
    password: part({ salt: String, hash: String }),
  }),
  dashboard_claims: schema({ _id: text, user: text }),
  dashboard_sessions: schema({ _id: text, user: text, expires: date }),
  audit: schema({
    _id: text,
    at: number,
    by: text,
    what: text,
    target: text,
    company: String,
    request: String,
    fields: { type: [String], default: undefined },
    set: anything,
    before: text,
    hash: text,
  }),
  companies: new Schema({ _id: text }, { ...options, strict: false }),
  scim_tokens: new Schema({ _id: text }, { ...options, strict: false }),
  workspaces: new Schema({ _id: text }, { ...options, strict: false }),
  keys: new Schema({ _id: text }, { ...options, strict: false }),
};

export type CollectionName = keyof typeof schemas;
