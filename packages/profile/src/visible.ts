/** A profile as others see it: no stamps, nothing that was removed (api.md: exported user object). */
import type { FieldName, Profile, Stamp, Value } from './profile.ts';
import { randomBucket } from './service-id.ts';

export interface VisibleProfile {
  service_id: string;
  external_id?: string;
  user_aliases: { alias_name: string; alias_label: string }[];
  fields: { [Name in FieldName]?: Value };
  custom_attributes: { [name: string]: Value };
  created_at: string;
  random_bucket: number;
}

const isThere = (v: Value): boolean => v !== null;

const timeOf = (stamp: Stamp): string => new Date(Math.floor(stamp / 1000)).toISOString();

/** From entries, not by assignment: `__proto__` is only a name here. */
const visibleCustom = ({ custom }: Profile): { [name: string]: Value } =>
  Object.fromEntries(custom.filter(({ v }) => isThere(v)).map(({ k, v }) => [k, v]));

const visibleFields = ({ fields }: Profile): VisibleProfile['fields'] =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { v }]) => isThere(v))
      .map(([name, { v }]) => [name, v]),
  );

export const visible = (profile: Profile): VisibleProfile => ({
  service_id: profile._id,
  ...(profile.external_id !== undefined && { external_id: profile.external_id }),
  user_aliases: (profile.aliases ?? []).map(({ label, name }) => ({ alias_name: name, alias_label: label })),
  fields: visibleFields(profile),
  custom_attributes: visibleCustom(profile),
  created_at: timeOf(profile.created_at),
  random_bucket: randomBucket(profile._id),
});
