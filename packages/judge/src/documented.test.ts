/** Every code that an entry is documented to get has an entry that gets it; and no entry of these gets one that is not documented. */
import { type EntryError, type EntryErrorCode, type Json, operations } from '@roster/contract';
import { createJudge } from './judge.ts';
import { aJudgeSettings } from './test-settings.ts';

const judge = createJudge();
const settings = aJudgeSettings({ blockedExternalIds: new Set(['blocked']) });

const long = (count: number): string => 'x'.repeat(count);
const broken = '\ud800';
let deep: Json = 'x';
for (let level = 0; level < 60; level++) deep = { a: deep };

type Entries = { [Code in EntryErrorCode]?: Json };

const time = '2025-06-01T12:00:00Z';
const alias = { alias_name: 'a', alias_label: 'l' };
const token = { app_id: 'shop', token: 't' };
const prioritization = ['identified'];

/** For all entries that name their person as the entries of track do. */
const identified = (rest: { [name: string]: Json }): Entries => {
  const by = (person: { [name: string]: Json }): Json => ({ ...person, ...rest });
  return {
    ENTRY_NOT_AN_OBJECT: 5,
    ENTRY_TOO_DEEP: by({ external_id: 'x', deep }),
    IDENTIFIER_REQUIRED: by({}),
    IDENTIFIER_AMBIGUOUS: by({ external_id: 'x', service_id: 'y' }),
    EXTERNAL_USER_ID_TOO_LARGE: by({ external_id: long(988) }),
    BLACKLISTED_EXTERNAL_USER_ID: by({ external_id: 'blocked' }),
    ALIAS_TOO_LARGE: by({ user_alias: { ...alias, alias_name: long(237) } }),
    TEXT_NOT_WELL_FORMED: by({ external_id: broken }),
    EMAIL_BAD_FORMAT: by({ email: 'no email' }),
    PHONE_INVALID: by({ phone: '12' }),
    FIELD_REQUIRED: by({ user_alias: { alias_name: 'a' } }),
    FIELD_INVALID: by({ external_id: true }),
  };
};

const properties = (entry: { [name: string]: Json }): Entries => ({
  PROPERTY_NAME_INVALID: { ...entry, properties: { $a: 1 } },
  PROPERTY_NAME_RESERVED: { ...entry, properties: { time: 1 } },
  PROPERTY_VALUE_INVALID: { ...entry, properties: { a: long(256) } },
  TOO_MANY_PROPERTIES: {
    ...entry,
    properties: Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`p${n}`, 1])),
  },
  PROPERTIES_TOO_LARGE: { ...entry, properties: { a: [long(110_000)] } },
});

const attribute = (rest: { [name: string]: Json }): Json => ({ external_id: 'x', ...rest });
const group = { subscription_group_id: 'news', subscription_state: 'subscribed' };
const event = { external_id: 'x', name: 'seen', time };
const purchase = { external_id: 'x', product_id: 'tea', currency: 'USD', price: 1, time };

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
  attributes: {
    ...identified({}),
    TIME_INVALID: attribute({ dob: 'x' }),
    BAD_EMAIL_SUBSCRIPTION_STATE: attribute({ email_subscribe: 'x' }),
    BAD_PUSH_SUBSCRIPTION_STATE: attribute({ push_subscribe: 'x' }),
    INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO: attribute({ email_subscription_info: 'x' }),
    BAD_LOCATION_UPDATE: attribute({ current_location: { longitude: 181, latitude: 1 } }),
    BAD_PUSH_TOKEN_VALUE: attribute({ push_tokens: 'x' }),
    BAD_PUSH_TOKEN_STRING: attribute({ push_tokens: [{ app_id: 'shop' }] }),
    BAD_PUSH_TOKEN_APP_ID: attribute({ push_tokens: [{ ...token, app_id: 'other' }] }),
    BAD_PUSH_TOKEN_IMPORT: attribute({ push_token_import: true, push_tokens: [token] }),
    BAD_DEVICE_ID: attribute({ push_tokens: [{ ...token, device_id: 'short' }] }),
    BAD_SUBSCRIPTION_GROUP_ARRAY: attribute({ subscription_groups: 'x' }),
    BAD_SUBSCRIPTION_GROUP_HASH: attribute({ subscription_groups: [{ subscription_group_id: 'news' }] }),
    BAD_SUBSCRIPTION_GROUP_ID: attribute({ subscription_groups: [{ ...group, subscription_group_id: 'x' }] }),
    BAD_SUBSCRIPTION_GROUP_STATE: attribute({ subscription_groups: [{ ...group, subscription_state: 'x' }] }),
    ATTRIBUTE_NAME_INVALID: attribute({ $a: 1 }),
    ATTRIBUTE_VALUE_INVALID: attribute({ a: long(256) }),
    ATTRIBUTE_ARRAY_INVALID: attribute({ a: [[1]] }),
    ATTRIBUTE_OPERATION_INVALID: attribute({ a: { add: 1 } }),
    ATTRIBUTE_TOO_LARGE: attribute({ a: { b: Array.from({ length: 500 }, () => long(255)) } }),
    NESTED_NAME_INVALID: attribute({ a: { 'b c': 1 } }),
  },
  events: {
    ...identified({ name: 'seen', time }),
    TIME_INVALID: { ...event, time: 'x' },
    ...properties(event),
  },
  purchases: {
    ...identified({ product_id: 'tea', currency: 'USD', price: 1, time }),
    TIME_INVALID: { ...purchase, time: 'x' },
    QUANTITY_INVALID: { ...purchase, quantity: 0 },
    CURRENCY_INVALID: { ...purchase, currency: 'XXX' },
    ...properties(purchase),
  },
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
