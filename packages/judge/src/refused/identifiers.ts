/** People who are named wrongly: the same in attribute objects, events and purchases. */
import { alias, entriesOf, said } from './entries-of.ts';
import type { EntryList, Refused } from './refused.ts';

const wrongEmails = [
  ...['ada', 'nobody', 'nowhere', 'ada@', '@example.com', 'a@b@c.co', 'a b@example.com', ''],
  ...[5, { $gt: '' }, `${'a'.repeat(1000)}@b.co`, `${'a'.repeat(2000)}@example.com`],
];
const wrongPhones = ['call me', 'none', '12', '+1555', '+15005550006000000000', '', '+999123456789'];

/** What people can be reached by, alone or beside another identifier. */
export const reachable = (list: EntryList, base: object): Refused[] => {
  const { refused, wrong } = entriesOf(list, base);
  return [
    ...wrongEmails.flatMap((email) => refused('EMAIL_BAD_FORMAT', said.email, { email })),
    ...wrongPhones.flatMap((phone) => refused('PHONE_INVALID', said.phone, { phone })),
    ...wrong('FIELD_INVALID', said.textOrNull, { phone: [15005550006, 2125550123] }),
  ];
};

/** `base` names nobody. */
export const identifiers = (list: EntryList, base: object): Refused[] => {
  const { at, refused, wrong } = entriesOf(list, base);
  return [
    ...refused(
      'IDENTIFIER_REQUIRED',
      said.nobody,
      {},
      { external_id: null, email: null },
      { external_id: null, email: null, phone: null },
    ),
    ...refused(
      'IDENTIFIER_AMBIGUOUS',
      said.ambiguous,
      { external_id: 'ada', user_alias: alias },
      { external_id: 'ada', service_id: 's' },
      { external_id: 'ada', service_id: 's', user_alias: alias },
      { user_alias: alias, service_id: 's', email: 'a@example.com' },
    ),
    ...wrong('FIELD_INVALID', said.notEmpty, { external_id: [''], service_id: [''] }),
    ...wrong('FIELD_INVALID', 'must be a string or a whole number', {
      external_id: [true, [], ['x'], { $ne: null }, 1.5],
    }),
    ...wrong('FIELD_INVALID', 'must be written in digits', { external_id: [2 ** 60] }),
    ...wrong('FIELD_INVALID', 'must be at most 9223372036854776000', { external_id: [1e21] }),
    ...wrong('NUMBER_OUT_OF_RANGE', said.inRange, { external_id: [2n ** 64n] }),
    ...refused(
      'EXTERNAL_USER_ID_TOO_LARGE',
      said.idTooLong,
      { external_id: 'x'.repeat(988) },
      { external_id: 'ü'.repeat(494) },
    ),
    ...wrong('TEXT_NOT_WELL_FORMED', said.clean, {
      external_id: ['a\0b', '\ud800', 'a\ud800', '\udc00b'],
      service_id: ['a\0'],
    }),
    ...[
      ...['blocked', 'dummy', 7, 0, -0, '  ', ' \t ', '\t'.repeat(30), ' NULL\n'],
      ...[`${' '.repeat(40)}null`, `null${'\u00a0'.repeat(40)}`, '[OBJECT object]'],
      ...['null', 'undefined', 'Undefined', '[object Object]', ' Guest ', 'anonymous', 'true', 'NaN', 'None'],
    ].flatMap((external_id) => refused('BLACKLISTED_EXTERNAL_USER_ID', said.blocked, { external_id })),
    ...wrong('FIELD_INVALID', said.text, { service_id: [5] }),
    ...wrong('FIELD_INVALID', said.anObject, { user_alias: ['n'] }),
    ...refused('FIELD_REQUIRED', "'alias_name' is required", { user_alias: { alias_label: 'l' } }),
    ...refused('FIELD_REQUIRED', "'alias_label' is required", { user_alias: { alias_name: 'a' } }),
    ...refused('FIELD_INVALID', at('.user_alias.alias_name', said.notEmpty), {
      user_alias: { ...alias, alias_name: '' },
    }),
    ...refused('FIELD_INVALID', at('.user_alias.alias_name', said.text), {
      user_alias: { ...alias, alias_name: 1 },
    }),
    ...refused(
      'ALIAS_TOO_LARGE',
      said.aliasTooLong,
      { user_alias: { ...alias, alias_name: 'x'.repeat(237) } },
      { user_alias: { ...alias, alias_label: 'ü'.repeat(119) } },
    ),
    ...wrong('TEXT_NOT_WELL_FORMED', said.clean, {
      user_alias: ['a\0', '\ud800', '\udc00'].map((alias_name) => ({ ...alias, alias_name })),
    }),
    ...reachable(list, base),
  ];
};
