/** A person, as stored. Every value carries the stamp of the request that set it, so that folding keeps the latest. */

/** Microseconds since the epoch, strictly rising over all accepted requests: the order of record. */
export type Stamp = number;

export type Value = string | number | boolean | null | Value[] | { [name: string]: Value };

export interface Stamped {
  v: Value;
  at: Stamp;
}

/** Plain fields of the profile: the names that are no custom attributes. */
export const fieldNames = [
  'country',
  'date_of_first_session',
  'date_of_last_session',
  'dob',
  'email',
  'email_click_tracking_disabled',
  'email_open_tracking_disabled',
  'email_subscribe',
  'first_name',
  'gender',
  'home_city',
  'image_url',
  'language',
  'last_name',
  'marked_email_as_spam_at',
  'phone',
  'push_subscribe',
  'time_zone',
] as const;

export type FieldName = (typeof fieldNames)[number];

const known: ReadonlySet<string> = new Set(fieldNames);

export const isFieldName = (name: string): name is FieldName => known.has(name);

/**
 * A custom attribute. `v` is what everybody sees. As long as increments are remembered, `base` is what was set at `at` and `incs`
 * are the increments after it, oldest first: so a set that arrives late still finds its place between them.
 */
export interface CustomAttribute {
  k: string;
  v: Value;
  /** 0 when it was only ever incremented. */
  at: Stamp;
  base?: Value;
  incs?: Increment[];
}

export type Increment = [at: Stamp, by: number];

export interface Alias {
  label: string;
  name: string;
}

export interface Profile {
  /** The service id. */
  _id: string;
  ws: string;
  external_id?: string;
  aliases?: Alias[];
  /** The email in the form in which it is compared, and the phone: what people are found by. Absent when there is none. */
  email_key?: string;
  phone_key?: string;
  fields: { [Name in FieldName]?: Stamped };
  custom: CustomAttribute[];
  /** The oldest and the newest stamp of what it was made from. */
  created_at: Stamp;
  updated_at: Stamp;
}

export const newProfile = (_id: string, ws: string, at: Stamp): Profile => ({
  _id,
  ws,
  fields: {},
  custom: [],
  created_at: at,
  updated_at: at,
});
