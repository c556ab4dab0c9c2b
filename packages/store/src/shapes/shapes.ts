/** The shape of every collection: types follow from it, and each test holds to it what it has stored. */
import {
  type AttributeStep,
  type Consent,
  fieldNames,
  type List,
  listNames,
  type Profile,
  type Said,
  type Stamped,
  type Value,
} from '@roster/profile';
import type { Collection } from '../connection/db.ts';
import { integrationShapes } from '../integrations/documents.ts';
import { messageShapes } from '../messages/documents.ts';
import { documentShapes, type RecordDocument } from './documents.ts';
import {
  type Definition,
  type DocumentOf,
  date,
  each,
  flag,
  list,
  type Members,
  mark,
  mixed,
  nullable,
  number,
  optional,
  type Path,
  partOf,
  text,
  textOf,
} from './paths.ts';

const value = mixed<Value>();
const values = mixed<{ [name: string]: Value }>();

const said: Definition<Said> = {
  v: nullable(textOf('opted_in', 'subscribed', 'unsubscribed')),
  at: number,
  n: optional(number),
  op: optional(text),
  of: optional(text),
  from: optional(text),
  on: optional(number),
  gone: optional(mark),
};

const consents: Path<Consent[]> = list(partOf({ k: text, ...said, earlier: optional(list(partOf(said))) }));

const stamped = partOf<Stamped>({
  v: value,
  at: number,
  since: optional(number),
  other: optional(number),
  from: optional(list(text)),
});

const items = partOf<List>({
  cleared: optional(number),
  items: list(partOf({ k: text, v: values, at: number })),
});

const step = partOf<AttributeStep>({
  at: number,
  n: number,
  inc: optional(mixed()),
  add: optional(list(value)),
  remove: optional(list(value)),
  most: optional(number),
  merge: optional(values),
  objects: optional(
    partOf({
      add: optional(list(values)),
      remove: optional(list(partOf({ key: text, value }))),
      update: optional(list(partOf({ key: text, value, with: values }))),
      merge: optional(flag),
    }),
  ),
});

const profiles: Definition<Profile> = {
  _id: text,
  ws: text,
  external_id: optional(text),
  former_ids: optional(list(text)),
  aliases: optional(list(partOf({ label: text, name: text }))),
  email_key: optional(text),
  phone_key: optional(text),
  device_keys: optional(list(text)),
  token_keys: optional(list(text)),
  fields: partOf(each(fieldNames, optional(stamped))),
  lists: partOf(each(listNames, optional(items))),
  consents,
  contacts: optional(
    list(
      partOf({
        c: textOf('email', 'phone'),
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
    partOf({
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
};

/** Kept whole: the packages that make and check these records know their other members. */
export const recordNames = ['companies', 'keys', 'scim_tokens', 'workspaces'] as const;

type RecordName = (typeof recordNames)[number];

const contacts = {
  /** Identity key of the email or phone; or `#` and a digest of it: see contacts.ts. */
  _id: text,
  ws: text,
  consents,
  /** The contact may have no owner: when this is checked. */
  due: optional(date),
};

/** The statements about an email or phone: they count for all people who have it. */
export type ContactDocument = DocumentOf<typeof contacts>;

/** The proof of the consent of an erased person: one change of it. */
const erased = {
  _id: text,
  ws: text,
  n: number,
  op: optional(text),
  k: text,
  from: said.v,
  to: said.v,
  at: number,
  /** Keyed digests of their identity keys. */
  proof: list(text),
};

const record = { _id: text };

export const shapes = {
  profiles,
  contacts,
  consents: erased,
  ...documentShapes,
  ...messageShapes,
  ...integrationShapes,
  companies: record,
  keys: record,
  scim_tokens: record,
  workspaces: record,
};

/** For tests. */
export const shapesByName: ReadonlyMap<string, Members> = new Map(Object.entries(shapes));

type Shapes = typeof shapes;

/** Every collection, by its name in the database; `events` and `purchases` stand for all of their generations. */
export type Documents = {
  [Name in Exclude<keyof Shapes, 'profiles' | RecordName>]: DocumentOf<Shapes[Name]>;
} & { profiles: Profile } & { [Name in RecordName]: RecordDocument };

export type CollectionName = keyof Documents;

/** Some of the collections, by their names. */
export type CollectionsOf<Name extends CollectionName> = { [One in Name]: Collection<Documents[One]> };
