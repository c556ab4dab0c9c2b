/** People, their identifiers, the statements about their contacts, and what is left of them. */
import { fieldNames, listNames, type Profile, type Value } from '@roster/profile';
import { atExpiry, by, collection, type DocumentIn, partialBy } from './collection.ts';
import {
  date,
  each,
  flag,
  list,
  mark,
  mixed,
  nullable,
  number,
  numberOf,
  optional,
  part,
  text,
  textOf,
} from './members.ts';

const value = mixed<Value>();
const values = mixed<{ [name: string]: Value }>();

/** A statement about a consent. */
const said = {
  /** `null`: the state was removed. */
  v: nullable(textOf('opted_in', 'subscribed', 'unsubscribed')),
  /** Stamp of its request, as every `at` here. */
  at: number,
  /** The place of its entry in the request, and its operation. */
  n: optional(number),
  op: optional(text),
  /** The contact that it is about, if the person has left it: an identity key. */
  of: optional(text),
  /** The absorbed person whom it came from in a merge, and when. */
  from: optional(text),
  on: optional(number),
  /** The person had another contact at that time. */
  gone: optional(mark),
};

/** The last statement about each `k` (`email`, `push`, `group:<id>`, `sms:<id>`), and those before it. */
const consents = () => list(part({ k: text, ...said, earlier: optional(list(part(said))) }));

/** The value of a field. */
const stamped = () =>
  part({
    v: value,
    at: number,
    /** Of an email or phone: since when the person has it, and when they last had another one. */
    since: optional(number),
    other: optional(number),
    /** Its former owners, who were absorbed: service ids. */
    from: optional(list(text)),
  });

/** Devices, push tokens, apps and the like, by their key. */
const items = () =>
  part({
    /** Everything up to this stamp was removed. */
    cleared: optional(number),
    items: list(part({ k: text, v: values, at: number })),
  });

/** A change that depends on the value before it: of a number, of an array, or of an object. */
const step = () =>
  part({
    at: number,
    /** The place of its entry in the request: with it a repeated step is recognized. */
    n: number,
    inc: optional(mixed<number | bigint>()),
    add: optional(list(value)),
    remove: optional(list(value)),
    /** How many elements the array may have. */
    most: optional(number),
    merge: optional(values),
    objects: optional(
      part({
        add: optional(list(values)),
        remove: optional(list(part({ key: text, value }))),
        update: optional(list(part({ key: text, value, with: values }))),
        /** An update is merged into the object, and does not replace it. */
        merge: optional(flag),
      }),
    ),
  });

/** Their type is `Profile` of packages/profile; people.test.ts holds the two to each other. */
export const profiles = collection(
  () => ({
    /** The service id. */
    _id: text,
    /** The workspace, as everywhere. */
    ws: text,
    external_id: optional(text),
    /** External ids before a rename: they still lead here. */
    former_ids: optional(list(text)),
    aliases: optional(list(part({ label: text, name: text }))),
    /** What finds them besides: email in its compared form, phone, device ids, app and token. */
    email_key: optional(text),
    phone_key: optional(text),
    device_keys: optional(list(text)),
    token_keys: optional(list(text)),
    fields: part(each(fieldNames, optional(stamped()))),
    lists: part(each(listNames, optional(items()))),
    consents: consents(),
    /** The emails and phones that they have had, oldest first, if there was more than one of each. */
    contacts: optional(
      list(
        part({
          c: textOf('email', 'phone'),
          /** In its compared form; `null`: none. */
          v: nullable(text),
          at: number,
          /** The absorbed person who had it, and the one between where there were two merges. */
          of: optional(text),
          via: optional(text),
          /** The merge that ended this person named people by an email or phone. */
          by_contact: optional(mark),
        }),
      ),
    ),
    /** The newest stamp among those. */
    contacts_at: optional(number),
    /** Custom attributes. */
    custom: list(
      part({
        /** Its name. */
        k: text,
        /** What is seen: `base`, which was set at `at`, with the steps since. Without steps there is no base. */
        v: value,
        at: number,
        base: optional(value),
        steps: optional(list(step())),
        from: optional(list(text)),
      }),
    ),
    /** Service ids of the profiles that were merged into this one. */
    absorbed: optional(list(text)),
    /** Stamps of the oldest and of the newest request that it was made from. */
    created_at: number,
    updated_at: number,
  }),
  {
    by_workspace: {
      key: { ws: 1, _id: 1 },
      // Every id is above it: only queries that continue after an id can use the index, and no other query takes it by mistake.
      options: { partialFilterExpression: { _id: { $gt: '' } } },
      reason: 'The next people of a workspace: an audience looks at so many of them at once.',
    },
    by_email: partialBy(
      ['ws', 'email_key'],
      'Everybody who has an email: track by email, export by email_address.',
    ),
    by_phone: partialBy(['ws', 'phone_key'], 'Everybody who has a phone: track by phone, export by phone.'),
    by_past_contact: partialBy(
      ['ws', 'contacts.v', 'contacts_at'],
      'Who had an email or phone when a request by it was accepted, and left it since.',
    ),
    by_device: partialBy(['ws', 'device_keys'], 'The owner of a device: export by device_id.'),
    by_token: partialBy(
      ['ws', 'token_keys'],
      'Whether a person has a push token already: import of push tokens.',
    ),
    by_absorbed: partialBy(
      ['ws', 'absorbed'],
      'The profile into which another one was merged: export by service_id.',
    ),
  },
);

export type ProfileDocument = Profile;

export const identities = collection(
  () => ({
    /** Workspace, kind and value: unique by nature, even when sharded. */
    _id: text,
    /** Service id. */
    profile: text,
    at: number,
    /** When a merge last moved it to the kept profile. Its tombstone names the owner before. */
    moved: optional(number),
  }),
  { by_profile: by(['profile'], 'All identity keys of a person, when they are erased.') },
);

/** The owner of an external id or alias. For emails and phones it is only a lock: see `profiles.email_key`. */
export interface IdentityDocument extends DocumentIn<typeof identities> {}

export const contacts = collection(
  () => ({
    /** Identity key of the email or phone; or `#` and a digest of it: see contacts.ts. */
    _id: text,
    ws: text,
    consents: consents(),
    /** The contact may have no owner: when this is checked. */
    due: optional(date),
  }),
  {
    by_due: partialBy(['due'], 'States of contacts that may have no owner, when their 30 days are over.'),
  },
);

/** The statements about an email or phone: they count for all people who have it. */
export interface ContactDocument extends DocumentIn<typeof contacts> {}

/** The proof of the consent of an erased person: one change of it. */
export const erasedConsents = collection(
  () => ({
    _id: text,
    ws: text,
    n: number,
    op: optional(text),
    /** Which consent, and its state before and after. */
    k: text,
    from: said.v,
    to: said.v,
    at: number,
    /** Keyed digests of their identity keys. */
    proof: list(text),
  }),
  { by_proof: partialBy(['proof'], 'The proof of erased people, found by an identifier.') },
);

export const tombstones = collection(
  () => ({
    /** Keyed digest of the identity key. */
    _id: text,
    /** The digests under the other secrets that were known then: what else was stored about the key may stand under them. */
    also: optional(list(text)),
    ws: text,
    at: number,
    /** The service id into which they were merged; absent after a deletion. */
    to: optional(text),
    /** Only an identify brought them together: not all of the person went over. */
    part: optional(mark),
    /** What ended it before: a name may have had several owners. */
    earlier: optional(list(part({ at: number, to: optional(text), part: optional(mark) }))),
    /** Removed by a TTL index from then on. */
    expires: date,
  }),
  {
    by_last_owner: partialBy(['to'], 'The names that a person lost, when they are erased.'),
    by_expiry: atExpiry('Removes tombstones when no request from before can be left.'),
  },
);

/** An identifier whose person was deleted (no `to`) or merged away into the service id `to`, for requests stamped up to `at`. */
export interface TombstoneDocument extends DocumentIn<typeof tombstones> {}

export const sweeps = collection(
  () => ({
    _id: text,
    ws: text,
    /** Service ids. */
    profiles: list(text),
    /** Identity keys that only this person had. */
    keys: list(text),
    /** Identity keys of emails and phones that they had before. */
    former: optional(list(text)),
    /** All their data is stamped up to here. */
    at: number,
    /** The stamp of the deletion: later statements about their contacts stay. */
    accepted: optional(number),
    /** Dead letters up to this stamp are about them; up to `at` without it. */
    until: optional(number),
    round: numberOf(1, 2),
    /** When the round may begin. A process that takes it moves this on, so that another process repeats it if the first one dies. */
    due: date,
  }),
  { by_due: by(['due'], 'Who has to be erased next.') },
);

/** A deleted person, invisible to all readers: the remains have to be removed, now and once more when no request about them can be under way. */
export interface SweepDocument extends DocumentIn<typeof sweeps> {}
