/** Every code that an entry is documented to get has an entry that gets it; and no entry of these gets one that is not documented. */
import { type EntryError, type EntryErrorCode, type Json, operations } from '@roster/contract';
import { createJudge } from './judge.ts';
import { attributes } from './refused/attributes.ts';
import { events, purchases } from './refused/occurrences.ts';
import { type Refused, settings } from './refused/refused.ts';

const judge = createJudge();

const long = (count: number): string => 'x'.repeat(count);
const broken = '\ud800';
let deep: Json = 'x';
for (let level = 0; level < 60; level++) deep = { a: deep };

type Entries = { [Code in EntryErrorCode]?: Json };

const alias = { alias_name: 'a', alias_label: 'l' };
const prioritization = ['identified'];

/** The first entry of each code. */
const firstOf = (refused: readonly Refused[]): Entries =>
  Object.fromEntries(refused.toReversed().map(({ code, entry }) => [code, entry as Json]));

const always = (good: { [name: string]: Json }, required: string): Entries => {
  const { [required]: _, ...lacking } = good;
  return {
    ENTRY_NOT_AN_OBJECT: 5,
    ENTRY_TOO_DEEP: { ...good, deep },
    FIELD_REQUIRED: lacking,
    FIELD_INVALID: { ...good, [required]: true },
    TEXT_NOT_WELL_FORMED: { ...good, [required]: broken },
  };
};

const ofExternalId = (good: { [name: string]: Json }, name = 'external_id'): Entries => ({
  EXTERNAL_USER_ID_TOO_LARGE: { ...good, [name]: long(988) },
  BLACKLISTED_EXTERNAL_USER_ID: { ...good, [name]: 'blocked' },
});

const plain: Entries = {
  ENTRY_TOO_DEEP: deep,
  FIELD_INVALID: true,
  TEXT_NOT_WELL_FORMED: broken,
  EXTERNAL_USER_ID_TOO_LARGE: long(988),
};

const byEmail = { email: 'a@example.com', prioritization };
const byPhone = { phone: '+4930901820', prioritization };
const notClear = { prioritization: ['identified', 'unidentified'] };

const tables: Record<string, Entries> = {
  attributes: firstOf(attributes),
  events: firstOf(events),
  purchases: firstOf(purchases),
  'users.alias.new user_aliases': {
    ...always({ ...alias, external_id: 'x' }, 'alias_name'),
    ...ofExternalId({ ...alias }),
    ALIAS_TOO_LARGE: { ...alias, alias_name: long(237) },
  },
  alias_updates: {
    ...always({ alias_label: 'l', old_alias_name: 'a', new_alias_name: 'b' }, 'old_alias_name'),
    ALIAS_TOO_LARGE: { alias_label: 'l', old_alias_name: 'a', new_alias_name: long(237) },
  },
  aliases_to_identify: {
    ...always({ external_id: 'x', user_alias: alias }, 'external_id'),
    ...ofExternalId({ user_alias: alias }),
    ALIAS_TOO_LARGE: { external_id: 'x', user_alias: { ...alias, alias_label: long(237) } },
  },
  emails_to_identify: {
    ...always({ external_id: 'x', ...byEmail }, 'external_id'),
    ...ofExternalId(byEmail),
    EMAIL_BAD_FORMAT: { external_id: 'x', ...byEmail, email: 'no email' },
    PRIORITIZATION_INVALID: { external_id: 'x', ...byEmail, ...notClear },
  },
  phone_numbers_to_identify: {
    ...always({ external_id: 'x', ...byPhone }, 'external_id'),
    ...ofExternalId(byPhone),
    PHONE_INVALID: { external_id: 'x', ...byPhone, phone: '12' },
    PRIORITIZATION_INVALID: { external_id: 'x', ...byPhone, ...notClear },
  },
  external_ids: plain,
  service_ids: { ...plain, EXTERNAL_USER_ID_TOO_LARGE: undefined as unknown as Json },
  'users.delete user_aliases': {
    ...always(alias, 'alias_name'),
    ALIAS_TOO_LARGE: { ...alias, alias_name: long(237) },
  },
  email_addresses: {
    ...always(byEmail, 'email'),
    TEXT_NOT_WELL_FORMED: undefined as unknown as Json,
    EMAIL_BAD_FORMAT: { ...byEmail, email: 'no email' },
    PRIORITIZATION_INVALID: { ...byEmail, ...notClear },
  },
  phone_numbers: {
    ...always(byPhone, 'phone'),
    TEXT_NOT_WELL_FORMED: undefined as unknown as Json,
    PHONE_INVALID: { ...byPhone, phone: '12' },
    PRIORITIZATION_INVALID: { ...byPhone, ...notClear },
  },
  external_id_renames: {
    ...always({ current_external_id: 'x', new_external_id: 'y' }, 'current_external_id'),
    ...ofExternalId({ current_external_id: 'x' }, 'new_external_id'),
  },
};

/** Only the worker can see who has an alias: services/identity has tests of it. */
const byWorker: ReadonlySet<string> = new Set(['ALIAS_NAME_TAKEN']);

/** In every kind of entry; it is known before anything else is. */
const tooLong = { NUMBER_OUT_OF_RANGE: { anything: [2n ** 63n] } } satisfies Entries;

const codeOf = (operation: (typeof operations)[number], array: string, entry: Json): string | undefined => {
  const verdict = judge(operation, { body: { [array]: [entry] }, depth: 100, exact: true }, settings);
  const body = verdict.ok ? (verdict.accepted.body as { errors?: EntryError[] }) : verdict.rejection;
  const errors = (verdict.ok ? (verdict.answer.body.errors as EntryError[]) : undefined) ?? body.errors;
  return errors?.[0]?.code;
};

const kinds = operations.flatMap((operation) =>
  (operation.entries ?? []).map(({ array, errors }) => {
    const wrong = { ...tooLong, ...(tables[`${operation.id} ${array}`] ?? tables[array]) };
    return { operation, array, errors, wrong };
  }),
);

describe.each(kinds)('$operation.id: $array', ({ operation, array, errors, wrong }) => {
  it.each(Object.entries(wrong).filter(([, entry]) => entry !== undefined))('%s', (code, entry) => {
    expect(codeOf(operation, array, entry)).toBe(code);
  });

  it('documents these codes and no other', () => {
    const told = Object.entries(wrong).flatMap(([code, entry]) => (entry === undefined ? [] : [code]));
    const documented = [...new Set(errors)].filter((code) => !byWorker.has(code));
    expect(documented.toSorted()).toEqual(told.toSorted());
  });
});
