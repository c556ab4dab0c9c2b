/** The fields that can be exported: what each has to read, and what it shows (api.md: exported user object). */
import type { ExportedUser } from '@roster/contract';
import { type FieldName, fieldNames, type VisibleProfile } from '@roster/profile';

interface Field {
  /** Place in the stored profile. */
  reads: string;
  shows(profile: VisibleProfile): unknown;
}

type Exportable = keyof ExportedUser;

const plainFields: readonly string[] = fieldNames;

const special: Partial<Record<Exportable, Field>> = {
  service_id: { reads: '_id', shows: (profile) => profile.service_id },
  external_id: { reads: 'external_id', shows: (profile) => profile.external_id },
  user_aliases: { reads: 'aliases', shows: (profile) => profile.user_aliases },
  created_at: { reads: 'created_at', shows: (profile) => profile.created_at },
  custom_attributes: { reads: 'custom', shows: (profile) => profile.custom_attributes },
  random_bucket: { reads: '_id', shows: (profile) => profile.random_bucket },
};

const plain = (name: FieldName): Field => ({ reads: `fields.${name}`, shows: ({ fields }) => fields[name] });

const isPlain = (name: string): name is FieldName => plainFields.includes(name);

export const fieldOf = (name: string): Field | undefined =>
  Object.hasOwn(special, name) ? special[name as Exportable] : isPlain(name) ? plain(name) : undefined;

/** Only what was asked for is read, and whom it belongs to. */
export const projectionOf = (names: readonly string[]): Record<string, 1> => ({
  external_id: 1,
  ...Object.fromEntries(names.map((name) => [fieldOf(name)?.reads ?? '_id', 1 as const])),
});

/** Nothing is there that is missing: callers read that as null, false or empty. */
export const show = (profile: VisibleProfile, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.map((name) => [name, fieldOf(name)?.shows(profile)]).filter(([, value]) => value !== undefined),
  );
