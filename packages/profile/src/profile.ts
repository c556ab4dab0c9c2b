/** A person, as stored. Every value carries the stamp of the request that set it, so that folding keeps the latest. */

/** Microseconds since the epoch, strictly rising over all accepted requests: the order of record. */
export type Stamp = number;

/** A whole number that a double does not hold is a `bigint`, within 64 bits. */
export type Value = string | number | bigint | boolean | null | Value[] | { [name: string]: Value };

export interface Stamped {
  v: Value;
  at: Stamp;
  /** An email or phone that was sent again: since when the person has it. Otherwise that is `at`. */
  since?: Stamp;
  /** Of an email or phone: when the person last had another one, or none. */
  other?: Stamp;
  /** Came over in a merge: the service ids of its former owners. */
  from?: string[];
}

/**
 * Plain fields of the profile: one value each, and its rule when two people become one (merge-profiles.ts). All names besides these, lists and
 * consents are custom attributes.
 */
export const fieldMerges = {
  attributed_ad: 'fill',
  attributed_adgroup: 'fill',
  attributed_campaign: 'fill',
  attributed_source: 'fill',
  country: 'fill',
  current_location: 'fill',
  date_of_first_session: 'earliest',
  date_of_last_session: 'latest',
  dob: 'fill',
  email: 'fill',
  email_click_tracking_disabled: 'fill',
  email_open_tracking_disabled: 'fill',
  facebook: 'fill',
  first_name: 'fill',
  gender: 'fill',
  home_city: 'fill',
  image_url: 'fill',
  language: 'fill',
  last_name: 'fill',
  marked_email_as_spam_at: 'fill',
  phone: 'fill',
  push_opted_in_at: 'fill',
  time_zone: 'fill',
  twitter: 'fill',
  uninstalled_at: 'fill',
} as const;

export type FieldName = keyof typeof fieldMerges;

export const fieldNames = Object.keys(fieldMerges) as FieldName[];

const isOneOf = <Name extends string>(names: readonly Name[]) => {
  const known: ReadonlySet<string> = new Set(names);
  return (name: string): name is Name => known.has(name);
};

export const isFieldName = isOneOf(fieldNames);

/** Lists of a person. Each item has a key of its own: sending an item adds or replaces it, `null` removes all. */
export const listNames = [
  'apps',
  'campaigns_received',
  'canvases_received',
  'cards_clicked',
  'devices',
  'push_tokens',
] as const;

export type ListName = (typeof listNames)[number];

export const isListName = isOneOf(listNames);

export interface ListItem {
  /** The key of the item when it is sent again: a device id, app and token, a name. */
  k: string;
  v: { [name: string]: Value };
  at: Stamp;
}

export interface List {
  /** Everything up to this stamp was removed. */
  cleared?: Stamp;
  items: ListItem[];
}

/** A statement at its place in the order of record. `null` removes a state. */
export interface Said {
  v: ConsentState | null;
  at: Stamp;
  /** The place of its entry in the request; the first one has none. */
  n?: number;
  /** The operation of the statement. */
  op?: string;
  /** The identity key of a contact that the person has left: the statement is about this contact. */
  of?: string;
  /** Came over in a merge from this person. Counts only where the kept person has no state. */
  from?: string;
  /** When it came over. */
  on?: Stamp;
  /** Of a contact: the person who made the statement turned out to have had another contact then. */
  gone?: true;
}

/**
 * A register of consent. `k` is `email`, `push`, `group:` and the id of a group of emails, or `sms:` and the id of a group of text
 * messages. Contacts have registers too: see consent.ts.
 */
export interface Consent extends Said {
  k: string;
  /** The statements before the last one, oldest first. */
  earlier?: Said[];
}

/** Since `at` the person has this email or phone; `null`: none. */
export interface ContactChange {
  c: 'email' | 'phone';
  /** In its compared form. */
  v: string | null;
  at: Stamp;
  /** The service id of the absorbed person who had it. */
  of?: string;
  /** The person that they were merged into, where it is not this person but one merged into this person later. */
  via?: string;
  /** Of the merge that ends the list of an absorbed person: it named people by an email or phone. */
  by_contact?: true;
}

export type ConsentState = 'opted_in' | 'subscribed' | 'unsubscribed';

/** A large attribute that was read carries its stored bytes under this name: counting them again would unpack it. */
export const storedBytes = Symbol('bytes in the database');

/**
 * A custom attribute. `v` is the visible value. As long as steps are remembered, `base` is the value set at `at` and `steps` are the
 * changes since, in the order of their stamps: so a late step still finds its place between them.
 */
export interface CustomAttribute {
  k: string;
  v: Value;
  /** 0 when it was never set, only stepped. */
  at: Stamp;
  base?: Value;
  steps?: AttributeStep[];
  /** Came over in a merge: the service ids of its former owners. */
  from?: string[];
  /** Only of a large attribute that was read. It is not enumerable, so no copy has it. */
  readonly [storedBytes]?: number;
}

/** A change that depends on the value before it. */
export type Stepping =
  | { inc: number | bigint }
  | ArrayChange
  | { merge: { [name: string]: Value } }
  | { objects: ObjectsChange };

/** `n` is the position of its entry in the request: with it a repeated step is recognized. */
export type AttributeStep = { at: Stamp; n: number } & Stepping;

/** Carried out in this order: remove, add. So a value in both is there afterwards. */
export interface ArrayChange {
  add?: Value[];
  remove?: Value[];
  /** The bound of elements in the workspace; stands beside `add`. */
  most?: number;
}

/** Carried out in this order: add, remove, update. */
export interface ObjectsChange {
  add?: { [name: string]: Value }[];
  remove?: { key: string; value: Value }[];
  update?: { key: string; value: Value; with: { [name: string]: Value } }[];
  /** Whether an update is merged into the object, or replaces it. */
  merge?: boolean;
}

export interface Alias {
  label: string;
  name: string;
}

export interface Profile {
  /** The service id. */
  _id: string;
  ws: string;
  external_id?: string;
  /** External ids before a rename: they still lead here. */
  former_ids?: string[];
  aliases?: Alias[];
  /** The keys that find a person besides their claims. Absent without a value: email in its compared form, phone, device ids, app and token. */
  email_key?: string;
  phone_key?: string;
  device_keys?: string[];
  token_keys?: string[];
  fields: { [Name in FieldName]?: Stamped };
  lists: { [Name in ListName]?: List };
  consents: Consent[];
  /** The emails and phones that they have had, oldest first; absent as long as there was only one of each. */
  contacts?: ContactChange[];
  /** The newest stamp among those changes. */
  contacts_at?: Stamp;
  custom: CustomAttribute[];
  /** Service ids of the profiles that were merged into this one: their events and purchases stay where they are. */
  absorbed?: string[];
  /** The oldest and the newest stamp of the requests it was made from. */
  created_at: Stamp;
  updated_at: Stamp;
}

export const newProfile = (_id: string, ws: string, at: Stamp): Profile => ({
  _id,
  ws,
  fields: {},
  lists: {},
  consents: [],
  custom: [],
  created_at: at,
  updated_at: at,
});
