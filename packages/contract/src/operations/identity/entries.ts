/** What the entries of the identity operations are made of: identifiers, the order in which people are preferred, and the rules about them. */
import { fault } from '../../entries/fault.ts';
import { externalId, hasGoodIdentifier, tidyIdentifiers } from '../../entries/identifiers.ts';
import type { EntryKind, EntryRule } from '../../operation.ts';
import type { EntryErrorCode } from '../../rejections/entry-errors.ts';
import type { RejectionCode } from '../../rejections/rejections.ts';
import { label, listOf, oneOf, publishedKeyword, text } from '../../shape.ts';

export const MOST_ENTRIES = 50;

export const prioritization = listOf(
  oneOf(
    ['identified', 'unidentified', 'most_recently_updated', 'least_recently_updated'],
    'The people to prefer.',
    { 'x-errors': { enum: 'PRIORITIZATION_INVALID', type: 'PRIORITIZATION_INVALID' } },
  ),
  'Decides between several people who share the email or phone: each preference in turn leaves only those it prefers, or all when it prefers none. `identified` are those with an external id. At most one of `identified` and `unidentified`. When more than one person is left, nothing happens.',
  { maxItems: 10, 'x-errors': { type: 'PRIORITIZATION_INVALID', maxItems: 'PRIORITIZATION_INVALID' } },
);

export const email = text('Email address.', { minLength: 1, maxLength: 1000 });
export const phone = label('Phone number, kept as E.164; ten digits alone are a US number.');

/** Only one of the two can be preferred. */
export const prefersClearly: EntryRule = ({ prioritization: list }) =>
  Array.isArray(list) && list.includes('identified') && list.includes('unidentified')
    ? fault('PRIORITIZATION_INVALID')
    : undefined;

/** Each identifier of an entry by itself, whichever others stand beside it. */
export const hasGoodIdentifiers: EntryRule = (entry, settings) => {
  for (const name of ['external_id', 'user_alias', 'service_id', 'email', 'phone'] as const) {
    const found = entry[name] == null ? undefined : hasGoodIdentifier({ [name]: entry[name] }, settings);
    if (found) return found;
  }
  return undefined;
};

/** Without the lists of ids that nobody may have: who has such an id already can be deleted, or get another one. */
export const hasAnyIdentifiers: EntryRule = (entry, settings) =>
  hasGoodIdentifiers(entry, { ...settings, blockedExternalIds: new Set(), suspiciousExternalIds: new Set() });

type KindOptions = Pick<EntryKind, 'array' | 'counter' | 'schema' | 'rules' | 'errors' | 'lift'> &
  Partial<Pick<EntryKind, 'tidy'>>;

const always: readonly EntryErrorCode[] = ['ENTRY_TOO_DEEP', 'NUMBER_OUT_OF_RANGE', 'FIELD_INVALID'];

/** Where the entry is no plain value. */
const ofObjects: readonly EntryErrorCode[] = ['ENTRY_NOT_AN_OBJECT', 'FIELD_REQUIRED'];

export const entryKind = (options: KindOptions): EntryKind => {
  const errors = [...(options.lift ? [] : ofObjects), ...always, ...options.errors];
  return { before: [], tidy: tidyIdentifiers, ...options, errors };
};

/** The errors of an external id in operations without the blocklist. */
const anyExternalIdErrors = ['EXTERNAL_USER_ID_TOO_LARGE', 'TEXT_NOT_WELL_FORMED'] as const;
export const externalIdErrors = [...anyExternalIdErrors, 'BLACKLISTED_EXTERNAL_USER_ID'] as const;
export const aliasErrors = ['ALIAS_TOO_LARGE', 'TEXT_NOT_WELL_FORMED'] as const;
export const emailErrors = ['EMAIL_BAD_FORMAT', 'PRIORITIZATION_INVALID'] as const;
export const phoneErrors = ['PHONE_INVALID', 'PRIORITIZATION_INVALID'] as const;

/** External ids that may be deprecated, or such as nobody may have; they become objects, like all other entries. */
export const listedExternalIds = (counter: string): EntryKind =>
  entryKind({
    array: 'external_ids',
    counter,
    schema: externalId,
    lift: (id) => ({ external_id: String(id) }),
    rules: [hasAnyIdentifiers],
    errors: anyExternalIdErrors,
  });

interface ListRules {
  atLeast?: 1;
  tooMany?: RejectionCode;
}

/** The list as it stands in the body. */
export const listOfEntries = (
  { schema }: EntryKind,
  description: string,
  { atLeast, tooMany = 'TOO_MANY_ENTRIES' }: ListRules = {},
) =>
  listOf(schema, `${description} At most 50; each is checked by itself.`, {
    maxItems: MOST_ENTRIES,
    'x-errors': { maxItems: tooMany },
    ...(atLeast && { [publishedKeyword]: { minItems: atLeast } }),
  });
