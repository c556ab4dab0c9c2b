/** The shape of every collection. The compiler holds it to the types of documents.ts, and each test holds to it what it has stored. */
import {
  fieldNames,
  type List,
  listNames,
  type Said,
  type Stamped,
  type Step,
  type Value,
} from '@roster/profile';
import type { CollectionName, ContentVersion, Documents, RecordDocument } from './documents.ts';
import { integrationShapes } from './integrations/shapes.ts';
import { messageShapes } from './messages/shapes.ts';
import {
  amount,
  bytes,
  type Definition,
  date,
  flag,
  list,
  map,
  mark,
  mixed,
  nullable,
  number,
  numberOf,
  optional,
  type Path,
  part,
  text,
  textOf,
} from './paths.ts';

const value = mixed<Value>();
const values = mixed<{ [name: string]: Value }>();

const each = <Name extends string, T>(names: readonly Name[], path: Path<T>) =>
  Object.fromEntries(names.map((name) => [name, path])) as Record<Name, Path<T>>;

const said: Definition<Said> = {
  v: nullable(textOf({ opted_in: 'opted_in', subscribed: 'subscribed', unsubscribed: 'unsubscribed' })),
  at: number,
  n: optional(number),
  op: optional(text),
  of: optional(text),
  from: optional(text),
  on: optional(number),
  gone: optional(mark),
};

const consents: Path<Documents['contacts']['consents']> = list(
  part({ k: text, ...said, earlier: optional(list(part(said))) }),
);

const stamped = part<Stamped>({
  v: value,
  at: number,
  since: optional(number),
  other: optional(number),
  from: optional(list(text)),
});

const items = part<List>({
  cleared: optional(number),
  items: list(part({ k: text, v: values, at: number })),
});

const step = part<Step>({
  at: number,
  n: number,
  inc: optional(mixed()),
  add: optional(list(value)),
  remove: optional(list(value)),
  most: optional(number),
  merge: optional(values),
  objects: optional(
    part({
      add: optional(list(values)),
      remove: optional(list(part({ key: text, value }))),
      update: optional(list(part({ key: text, value, with: values }))),
      merge: optional(flag),
    }),
  ),
});

const profiles: Definition<Documents['profiles']> = {
  _id: text,
  ws: text,
  external_id: optional(text),
  former_ids: optional(list(text)),
  aliases: optional(list(part({ label: text, name: text }))),
  email_key: optional(text),
  phone_key: optional(text),
  device_keys: optional(list(text)),
  token_keys: optional(list(text)),
  fields: part(each(fieldNames, optional(stamped))),
  lists: part(each(listNames, optional(items))),
  consents,
  contacts: optional(
    list(
      part({
        c: textOf({ email: 'email', phone: 'phone' }),
        v: nullable(text),
        at: number,
        of: optional(text),
        via: optional(text),
        by_contact: optional(mark),
      }),
    ),
  ),
  contacts_at: optional(number),
  custom: list(
    part({
      k: text,
      v: value,
      at: number,
      base: optional(value),
      steps: optional(list(step)),
      from: optional(list(text)),
    }),
  ),
  absorbed: optional(list(text)),
  created_at: number,
  updated_at: number,
  updates: optional(list(number)),
};

const occurrence = { _id: bytes, ws: text, app_id: optional(text), properties: optional(text) };

const kind = textOf({ events: 'events', purchases: 'purchases' });

const dashboardUsers: Definition<Documents['dashboard_users']> = {
  _id: text,
  company: text,
  at: number,
  changed: number,
  said: optional(number),
  rev: number,
  userName: text,
  externalId: optional(text),
  name: optional(part({ formatted: optional(text), familyName: optional(text), givenName: optional(text) })),
  displayName: optional(text),
  active: flag,
  active_unset: optional(flag),
  emails: optional(list(part({ value: text, type: optional(text), primary: optional(flag) }))),
  department: optional(text),
  permissions: optional(
    part({
      company: list(text),
      roles: list(text),
      workspaces: list(
        part({
          id: text,
          permissions: list(text),
          sets: list(text),
          teams: list(part({ id: text, permissions: list(text) })),
        }),
      ),
    }),
  ),
  extended: optional(flag),
  signed_in: optional(date),
  password: optional(part({ salt: text, hash: text })),
};

const contentVersion: Definition<ContentVersion> = {
  ws: text,
  version: number,
  name: text,
  description: optional(text),
  content: text,
  state: textOf({ active: 'active', draft: 'draft' }),
  tags: list(text),
  includes: list(text),
  changed: list(text),
  edited: number,
  by: optional(text),
};

/** Kept whole: the packages that make and check these records know their other members. */
export const recordNames = ['companies', 'keys', 'scim_tokens', 'workspaces'] as const;

type RecordName = (typeof recordNames)[number];

const record: Definition<Pick<RecordDocument, '_id'>> = { _id: text };

type Shapes = { readonly [Name in Exclude<CollectionName, RecordName>]: Definition<Documents[Name]> } & {
  readonly [Name in RecordName]: typeof record;
};

export const shapes: Shapes = {
  profiles,
  identities: { _id: text, profile: text, at: number, moved: optional(number) },
  contacts: { _id: text, ws: text, consents, due: optional(date) },
  consents: {
    _id: text,
    ws: text,
    n: number,
    op: optional(text),
    k: text,
    from: said.v,
    to: said.v,
    at: number,
    proof: list(text),
  },
  events: { ...occurrence, name: text },
  purchases: {
    ...occurrence,
    product_id: text,
    currency: text,
    price: number,
    quantity: number,
    revenue: optional(amount),
  },
  generations: {
    _id: text,
    of: kind,
    n: number,
    oldest: optional(date),
    closed: optional(date),
    emptied: optional(date),
    tier: optional(number),
    into: optional(text),
  },
  totals: {
    _id: text,
    ws: text,
    profile: text,
    of: kind,
    name: text,
    first: date,
    last: date,
    count: number,
    revenue: optional(amount),
  },
  requests: {
    _id: text,
    ws: text,
    op: text,
    at: number,
    state: textOf({ applied: 'applied', failed: 'failed' }),
    applied: date,
    entries: optional(map(list(text))),
    reason: optional(text),
    answer: optional(part({ status: number, body: text, code: optional(text) })),
    notes: optional(
      list(
        part({
          input_array: text,
          index: number,
          field: optional(text),
          reason: text,
          count: optional(number),
        }),
      ),
    ),
    expires: date,
  },
  sweeps: {
    _id: text,
    ws: text,
    profiles: list(text),
    keys: list(text),
    former: optional(list(text)),
    at: number,
    accepted: optional(number),
    until: optional(number),
    round: numberOf({ 1: 1, 2: 2 }),
    due: date,
  },
  tombstones: {
    _id: text,
    ws: text,
    at: number,
    to: optional(text),
    part: optional(mark),
    earlier: optional(list(part({ at: number, to: optional(text), part: optional(mark) }))),
    expires: date,
  },
  dashboard_users: dashboardUsers,
  dashboard_claims: { _id: text, user: text },
  dashboard_sessions: { _id: text, user: text, expires: date },
  audit: {
    _id: text,
    at: number,
    by: text,
    what: text,
    target: text,
    company: optional(text),
    request: optional(text),
    fields: optional(list(text)),
    set: optional(mixed()),
    before: text,
    hash: text,
  },
  content_blocks: { ...contentVersion, _id: text, created: number },
  content_versions: { ...contentVersion, _id: text, block: text },
  content_deleted: { _id: text, ws: text, at: number, by: optional(text), expires: date },
  content_spaces: { _id: text, changes: number, blocks: number, versions: number },
  preference_centers: {
    _id: text,
    ws: text,
    name: text,
    title: text,
    page: text,
    confirmation: text,
    state: textOf({ active: 'active', draft: 'draft' }),
    options: part({
      viewport: optional(text),
      links: list(
        part({
          rel: text,
          type: optional(text),
          sizes: optional(text),
          color: optional(text),
          href: text,
        }),
      ),
      scripts: optional(mark),
    }),
    includes: list(text),
    created: number,
    edited: number,
    by: optional(text),
  },
  ...messageShapes,
  ...integrationShapes,
  probes: { _id: text, at: date },
  companies: record,
  keys: record,
  scim_tokens: record,
  workspaces: record,
};
