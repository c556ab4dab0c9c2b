/** The public form of a profile: no stamps, no removed values (api.md: exported user object). */
import type { Consent, Profile, Stamped, Value } from './profile.ts';
import { randomBucket } from './service-id.ts';
import { timeOf, visibleConsents } from './visible-consents.ts';
import { visibleLists } from './visible-lists.ts';
import type { Shown, VisibleProfile } from './visible-profile.ts';

const isThere = (v: Value): boolean => v !== null;

/** From entries, not by assignment: `__proto__` is only a name here. */
const visibleCustom = ({ custom }: Profile): Shown =>
  Object.fromEntries(custom.filter(({ v }) => isThere(v)).map(({ k, v }) => [k, v]));

const hasFormOfItsOwn: ReadonlySet<string> = new Set(['current_location', 'push_opted_in_at']);

const visibleFields = ({ fields }: Profile): VisibleProfile['fields'] =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, { v }]) => isThere(v) && !hasFormOfItsOwn.has(name))
      .map(([name, { v }]) => [name, v]),
  );

const visibleLocation = (location: Stamped | undefined): Pick<VisibleProfile, 'last_coordinates'> => {
  const v = location?.v;
  if (typeof v !== 'object' || v === null || Array.isArray(v)) return {};
  const { longitude, latitude } = v;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return {};
  return { last_coordinates: [longitude, latitude] };
};

/** `consents` are the current states, with the statements about contacts. */
export const visible = (
  profile: Profile,
  consents: readonly Consent[] = profile.consents,
): VisibleProfile => ({
  service_id: profile._id,
  ...(profile.external_id !== undefined && { external_id: profile.external_id }),
  user_aliases: (profile.aliases ?? []).map(({ label, name }) => ({ alias_name: name, alias_label: label })),
  fields: visibleFields(profile),
  lists: visibleLists(profile),
  ...visibleLocation(profile.fields.current_location),
  ...visibleConsents(profile, consents),
  custom_attributes: visibleCustom(profile),
  created_at: timeOf(profile.created_at),
  random_bucket: randomBucket(profile._id),
});
