import { type Static, Type } from '@sinclair/typebox';
import { externalId, userAlias } from '../../entries/identifiers.ts';
import { didYouMean } from '../../formats/distance.ts';
import { example, type JsonObject, operation } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { label, listOf, maybe, optional, publishedKeyword, text } from '../../shape.ts';
import { listAt } from '../../types.ts';
import { successAnswer } from '../answers.ts';
import { readRow, waitsForAccepted } from '../read-row.ts';
import { exportableFields, exportedUser } from './exported-user.ts';

const MOST_IDENTIFIERS = 50;

const exportAnswer = successAnswer('ExportAnswer', 'The profiles.', {
  users: listOf(
    exportedUser,
    'In the order of the request: external ids, aliases, then the people with the other identifier, oldest profile first. Each person once.',
  ),
  invalid_user_ids: maybe(
    listOf(
      text('An identifier.'),
      'Identifiers that match no person, as they were sent (of an alias its name). Absent when each one matches a person.',
    ),
  ),
});

const lists = ['external_ids', 'user_aliases'];
const onlyOne = ['device_id', 'service_id', 'email_address', 'phone'];
const identifierMembers = [...lists, ...onlyOne];

/** A schema that requires this identifier; at most one of `onlyOne` may be sent. */
const namesBy = (name: string) => {
  const others = onlyOne.filter((other) => other !== name);
  return onlyOne.includes(name)
    ? {
        required: [name],
        properties: {
          [name]: { type: 'string' },
          ...Object.fromEntries(others.map((other) => [other, { type: 'null' }])),
        },
      }
    : {
        required: [name],
        properties: { [name]: { type: 'array', minItems: 1, maxItems: MOST_IDENTIFIERS } },
      };
};

const exportBody = Type.Object(
  {
    ...optional({
      external_ids: listOf(
        externalId,
        'At most 50 together with `user_aliases`. Deprecated ids lead to the person too.',
      ),
      user_aliases: listOf(userAlias, 'At most 50 together with `external_ids`.'),
      device_id: text('All people with this device, or with a push token on it.', {
        minLength: 1,
        maxLength: 1024,
      }),
      service_id: label(
        'Id that Roster gave the person. The id of a merged-away person leads to the kept person.',
      ),
      email_address: text('All people with this email.', { minLength: 1, maxLength: 1000 }),
      phone: label('All people with this number, in E.164 or any spelling that can be converted to it.'),
    }),
    fields_to_export: listOf(
      text('Name of a field.', {
        maxLength: 255,
        [publishedKeyword]: { enum: [...exportableFields] },
      }),
      `Fields of the exported user: ${exportableFields.join(', ')}.`,
      { maxItems: 500 },
    ),
  },
  { [publishedKeyword]: { anyOf: identifierMembers.map(namesBy) } },
);

export type ExportAnswer = Static<typeof exportAnswer>;
/** The body of an export as it was accepted: external ids are texts. */
export type ExportRequest = Omit<Static<typeof exportBody>, 'external_ids'> & { external_ids?: string[] };

function asksForFew(body: JsonObject): Rejection | undefined {
  const names = lists.flatMap((name) => listAt(body, name));
  return names.length > MOST_IDENTIFIERS ? new Rejection('TOO_MANY_IDENTIFIERS') : undefined;
}

function asksInOneWay(body: JsonObject): Rejection | undefined {
  const given = onlyOne.filter((name) => body[name] !== undefined);
  return given.length > 1 ? new Rejection('IDENTIFIERS_CONFLICT') : undefined;
}

function namesPeople(body: JsonObject): Rejection | undefined {
  const isNamed = onlyOne.some((name) => body[name] !== undefined);
  if (isNamed || lists.some((name) => listAt(body, name).length > 0)) return undefined;
  const all = identifierMembers.map((name) => `'${name}'`).join(', ');
  return new Rejection('NOBODY_NAMED', { message: `One of ${all} is required` });
}

function asksForKnownFields(body: JsonObject): Rejection | undefined {
  const fields = listAt(body, 'fields_to_export');
  const unknown = fields.find((field) => !exportableFields.includes(String(field)));
  if (unknown === undefined) return undefined;
  return new Rejection('FIELD_NOT_EXPORTABLE', {
    message: `'${unknown}' in 'fields_to_export' is not a field of the exported user${didYouMean(String(unknown), exportableFields)}`,
  });
}

function tidyExport(body: JsonObject): JsonObject {
  const { external_ids } = body;
  return Array.isArray(external_ids) ? { ...body, external_ids: external_ids.map(String) } : body;
}

export const usersExportIds = operation({
  ...readRow,
  id: 'users.export.ids',
  fresh: true,
  recorded: 'people.exported',
  method: 'POST',
  path: '/users/export/ids',
  tag: 'Users',
  summary: 'Export profiles',
  description: [
    `Profiles by their identifiers, with the fields that are asked for; only those are read. ${waitsForAccepted}`,
    'An answer is a snapshot of one moment: a person who is being merged or deleted is shown as before or as after.',
    'Besides `external_ids` and `user_aliases`, at most one of `device_id`, `email_address`, `phone` and `service_id`. An email, phone or device of several people exports them all. A person who is named in several ways is in the answer once.',
    'The `service_id` of a merged-away person leads to the kept person; after an `identify` without merge it leads to no person.',
    'A `phone` that is not a phone number matches no person, and is listed in `invalid_user_ids` like other identifiers without a match.',
    'One answer holds at most 8 MB of profiles, 2,500 people, and 20,000 names of events and products. A larger one is refused with `EXPORT_TOO_LARGE`. One person alone always has an answer.',
  ].join(' '),
  success: 201,
  limit: { pool: 'users.export.ids', requests: 250, seconds: 60 },
  request: { body: exportBody },
  rules: [asksForFew, asksInOneWay, namesPeople, asksForKnownFields],
  tidy: tidyExport,
  responses: { 201: exportAnswer },
  rejections: [
    'TOO_MANY_IDENTIFIERS',
    'IDENTIFIERS_CONFLICT',
    'NOBODY_NAMED',
    'FIELD_NOT_EXPORTABLE',
    'EXPORT_TOO_LARGE',
  ],
  examples: [
    example('By external id', {
      body: {
        external_ids: ['ada', 'nobody'],
        fields_to_export: ['external_id', 'first_name', 'email', 'custom_attributes'],
      },
      201: {
        message: 'success',
        users: [
          {
            external_id: 'ada',
            first_name: 'Ada',
            email: 'ada@example.com',
            custom_attributes: { visits: 1 },
          },
        ],
        invalid_user_ids: ['nobody'],
      },
    }),
    example('An unknown field', {
      body: { external_ids: ['ada'], fields_to_export: ['shoe_size'] },
      400: {
        code: 'FIELD_NOT_EXPORTABLE',
        message: "'shoe_size' in 'fields_to_export' is not a field of the exported user",
      },
    }),
  ],
});
