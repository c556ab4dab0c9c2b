/** The person of an entry: the schema of the five identifiers and the rules about them. */
import { isEmail } from '../formats/email.ts';
import { normalizePhone } from '../formats/phone.ts';
import { isCleanText, unclean } from '../formats/text.ts';
import type { EntryFault, JsonObject, JudgeSettings } from '../operation.ts';
import { flag, label, objectShape, optional, plain, publishedKeyword, text, textOrNull } from '../shape.ts';
import { isJsonObject, type Json } from '../types.ts';
import { fault, faultAt } from './fault.ts';
import { isSuspicious } from './suspicious-ids.ts';

const EXTERNAL_ID_BYTES = 987;
export const externalIdLength = { maxLength: EXTERNAL_ID_BYTES, 'x-max-bytes': EXTERNAL_ID_BYTES };
const ALIAS_BYTES = 236;

export const externalId = plain<string | number>({
  type: ['string', 'integer'],
  minLength: 1,
  ...externalIdLength,
  minimum: -(2 ** 63),
  maximum: 2 ** 63,
  // The ends of 64 bits are no doubles: as a rule of a schema they would be wrong by some.
  [publishedKeyword]: { minimum: undefined, maximum: undefined },
  description:
    'Id of the person in your own system: at most 987 bytes, case-sensitive. A whole number of at most 64 bits, written in digits, is taken as its text.',
  'x-errors': { maxLength: 'EXTERNAL_USER_ID_TOO_LARGE', 'x-max-bytes': 'EXTERNAL_USER_ID_TOO_LARGE' },
});

/** As it stands where a number is not taken for its text. */
export const externalIdText = text('Id of the person in your own system: at most 987 bytes.', {
  minLength: 1,
  ...externalIdLength,
});

/** A name or label of an alias. */
export const aliasPart = (description: string) =>
  text(`${description} At most 236 bytes, case-sensitive.`, {
    minLength: 1,
    maxLength: ALIAS_BYTES,
    'x-max-bytes': ALIAS_BYTES,
    'x-errors': { maxLength: 'ALIAS_TOO_LARGE', 'x-max-bytes': 'ALIAS_TOO_LARGE' },
  });

export const userAlias = objectShape('UserAlias', 'A secondary identifier: a name under a label.', {
  alias_name: aliasPart('Name of the alias.'),
  alias_label: aliasPart('Label (kind) of the alias.'),
});

export const aliasMembers: ReadonlySet<string> = new Set(Object.keys(userAlias.properties));

export const identifiers = optional({
  external_id: externalId,
  user_alias: userAlias,
  service_id: label('Id that Roster gave the person. Never creates anybody.'),
  email: textOrNull("Identifies only when 'external_id', 'user_alias' and 'service_id' are absent.", {
    maxLength: 1000,
    'x-errors': { type: 'EMAIL_BAD_FORMAT', maxLength: 'EMAIL_BAD_FORMAT' },
  }),
  phone: textOrNull(
    'Identifies only when no other identifier is there. Kept as E.164; ten digits alone are a US number.',
    {
      maxLength: 255,
    },
  ),
  _update_existing_only: flag(
    'When true no person is created. An unknown `user_alias` creates a person only in an attribute object that sets it to false.',
  ),
});

/** What every entry of `/users/track` can be refused for. */
export const identifierErrors = [
  'ENTRY_NOT_AN_OBJECT',
  'ENTRY_TOO_DEEP',
  'NUMBER_OUT_OF_RANGE',
  'IDENTIFIER_REQUIRED',
  'IDENTIFIER_AMBIGUOUS',
  'EXTERNAL_USER_ID_TOO_LARGE',
  'BLACKLISTED_EXTERNAL_USER_ID',
  'ALIAS_TOO_LARGE',
  'TEXT_NOT_WELL_FORMED',
  'EMAIL_BAD_FORMAT',
  'PHONE_INVALID',
  'FIELD_REQUIRED',
  'FIELD_INVALID',
  'TIME_INVALID',
] as const;

/** Exactly one of the three primary identifiers, or else email or phone. */
export function isIdentified(entry: JsonObject): EntryFault | undefined {
  const { external_id, user_alias, service_id, email, phone } = entry;
  const primaries = Number(external_id != null) + Number(user_alias != null) + Number(service_id != null);
  if (primaries === 1) return undefined;
  if (primaries > 1) return fault('IDENTIFIER_AMBIGUOUS');
  return email == null && phone == null ? fault('IDENTIFIER_REQUIRED') : undefined;
}

/** An external id as text, a phone as E.164, no identifier that is `null`; copies only when something has to change. */
export function tidyIdentifiers(entry: JsonObject): JsonObject {
  const { external_id, user_alias, service_id, phone } = entry;
  const hasNull = external_id === null || user_alias === null || service_id === null;
  if (!hasNull && !isNumber(external_id) && typeof phone !== 'string') return entry;
  return copyTidied(entry);
}

const isNumber = (value: Json | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** As it was written; a double that stands for many numbers stays what it is, and is refused. */
export const digitsOf = (id: number | bigint): Json =>
  typeof id === 'bigint' || Number.isSafeInteger(id) ? String(id) : id;

function copyTidied(entry: JsonObject): JsonObject {
  const { external_id, phone } = entry;
  const changed: [string, Json][] = [];
  if (isNumber(external_id)) changed.push(['external_id', digitsOf(external_id)]);
  const normal = typeof phone === 'string' ? normalizePhone(phone) : undefined;
  if (normal !== undefined && normal !== phone) changed.push(['phone', normal]);
  const nulls = ['external_id', 'user_alias', 'service_id'].filter((name) => entry[name] === null);
  if (changed.length === 0 && nulls.length === 0) return entry;
  // From entries, not by assignment: `__proto__` is only a name here.
  const kept = Object.entries(entry).filter(([name]) => !nulls.includes(name));
  return Object.fromEntries([...kept, ...changed]);
}

/** Rules of the identifiers that JSON Schema can't say: bytes, well-formed text, blocked ids. */
export function hasGoodIdentifier(entry: JsonObject, settings: JudgeSettings): EntryFault | undefined {
  const { external_id, user_alias, service_id } = entry;
  if (typeof external_id === 'string') return externalIdFault(external_id, settings);
  if (isNumber(external_id)) return faultAt('FIELD_INVALID', '.external_id', 'must be written in digits');
  if (isJsonObject(user_alias)) return aliasFault(user_alias);
  if (typeof service_id === 'string')
    return isCleanText(service_id) ? undefined : faultAt('TEXT_NOT_WELL_FORMED', '.service_id', unclean);
  return typeof entry.email === 'string' ? hasGoodEmail(entry) : hasGoodPhone(entry);
}

function externalIdFault(id: string, settings: JudgeSettings): EntryFault | undefined {
  if (!isCleanText(id)) return faultAt('TEXT_NOT_WELL_FORMED', '.external_id', unclean);
  return isUnwanted(id, settings) ? fault('BLACKLISTED_EXTERNAL_USER_ID') : undefined;
}

function isUnwanted(id: string, { blockedExternalIds, suspiciousExternalIds }: JudgeSettings): boolean {
  return blockedExternalIds.has(id) || isSuspicious(id, suspiciousExternalIds);
}

function aliasFault({ alias_name, alias_label }: JsonObject): EntryFault | undefined {
  return [alias_name, alias_label].every((part) => isCleanText(String(part)))
    ? undefined
    : faultAt('TEXT_NOT_WELL_FORMED', '.user_alias', unclean);
}

export function hasGoodEmail({ email }: JsonObject): EntryFault | undefined {
  return typeof email === 'string' && !isEmail(email) ? fault('EMAIL_BAD_FORMAT') : undefined;
}

export function hasGoodPhone({ phone }: JsonObject): EntryFault | undefined {
  return typeof phone === 'string' && normalizePhone(phone) === undefined
    ? fault('PHONE_INVALID')
    : undefined;
}
