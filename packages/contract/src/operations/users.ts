import { type Static, Type } from '@sinclair/typebox';
import { entryError } from '../document/common.ts';
import { attributes } from '../entries/attributes.ts';
import { externalId, userAlias } from '../entries/identifiers.ts';
import { events, purchases } from '../entries/occurrences.ts';
import { normalizePhone } from '../formats/phone.ts';
import { type EntryKind, type JsonObject, operation } from '../operation.ts';
import { outcomeMembers, requestState } from '../outcome-report.ts';
import { Rejection } from '../rejections.ts';
import { plain, shape, text } from '../shape.ts';
import type { Json } from '../types.ts';

const MB = 1024 * 1024;
const MOST_ENTRIES = 1000;
const MOST_IDENTIFIERS = 50;

const entriesOf = (kind: EntryKind, what: string) =>
  Type.Optional(
    Type.Array(kind.schema, {
      maxItems: MOST_ENTRIES,
      description: `${what} Each is judged by itself: a bad one is refused, the others go through.`,
    }),
  );

const counter = (array: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Accepted entries of \`${array}\`; absent when there are none.`,
    }),
  );

const trackAnswer = shape(
  'TrackAnswer',
  Type.Object(
    {
      message: text('`success`.'),
      attributes_processed: counter('attributes'),
      events_processed: counter('events'),
      purchases_processed: counter('purchases'),
      errors: Type.Optional(
        Type.Array(entryError, { description: 'Entries that were refused; everything else goes through.' }),
      ),
      request_id: Type.Optional(text('Id of the request. This and what follows: only with `Prefer: wait`.')),
      state: Type.Optional(requestState),
      ...outcomeMembers,
    },
    { description: 'Accepted: the work is on disk and will be applied exactly once in effect.' },
  ),
);

export const usersTrack = operation({
  id: 'users.track',
  method: 'POST',
  path: '/users/track',
  permission: 'users.track',
  tag: 'Users',
  summary: 'Record events, purchases and attributes',
  description:
    'At most 50 entries over the three arrays (a workspace may configure up to 1,000). Within one request attributes come first, then events, ' +
    'then purchases, each in the order given. An unknown `external_id`, `email` or `phone` creates a profile unless `_update_existing_only` is true; an unknown `user_alias` only ' +
    'when it is false, and not by an event or purchase; `service_id` never. Unknown members are ignored.',
  kind: 'write',
  answer: 'receipt',
  queue: 'track',
  success: 201,
  bodyLimit: 6 * MB,
  limit: { pool: 'users.track', requests: 3000, seconds: 3 },
  request: {
    body: Type.Object({
      attributes: entriesOf(attributes, 'Fields and custom attributes to set.'),
      events: entriesOf(events, 'Custom events.'),
      purchases: entriesOf(purchases, 'Purchases.'),
    }),
  },
  entries: [attributes, events, purchases],
  responses: { 201: trackAnswer },
  rejections: ['NO_VALID_DATA', 'TOO_MANY_ENTRIES'],
  examples: [
    {
      title: 'One of each',
      request: {
        body: {
          attributes: [
            {
              external_id: 'ada',
              first_name: 'Ada',
              email: 'ada@example.com',
              favourite_color: 'green',
              visits: { inc: 1 },
            },
          ],
          events: [
            {
              external_id: 'ada',
              name: 'signed_in',
              time: '2026-01-31T12:00:00Z',
              properties: { device: 'phone' },
            },
          ],
          purchases: [
            {
              external_id: 'ada',
              product_id: 'tea',
              currency: 'EUR',
              price: 4.5,
              quantity: 2,
              time: '2026-01-31T12:01:00Z',
            },
          ],
        },
      },
      response: {
        status: 201,
        body: { attributes_processed: 1, events_processed: 1, purchases_processed: 1, message: 'success' },
      },
    },
    {
      title: 'A refused entry beside an accepted one',
      request: {
        body: {
          attributes: [
            { external_id: 'ada', email_subscribe: 'opted_in' },
            { external_id: 'bob', email_subscribe: 'perhaps' },
          ],
        },
      },
      response: {
        status: 201,
        body: {
          attributes_processed: 1,
          message: 'success',
          errors: [
            {
              type: "'email_subscribe' must be 'subscribed', 'unsubscribed', or 'opted_in'",
              code: 'BAD_EMAIL_SUBSCRIPTION_STATE',
              input_array: 'attributes',
              index: 1,
            },
          ],
        },
      },
    },
    {
      title: 'Nothing valid',
      request: { body: { events: [{ external_id: 'ada', time: '2026-01-31T12:00:00Z' }] } },
      response: {
        status: 400,
        body: {
          message: "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.",
          errors: [{ type: "'name' is required", code: 'FIELD_REQUIRED', input_array: 'events', index: 0 }],
        },
      },
    },
  ],
});

const maybe = (description: string) => Type.Optional(text(description));

const exportedUser = shape(
  'ExportedUser',
  Type.Object(
    {
      external_id: maybe('Id of the person in your own system.'),
      service_id: maybe('Id that Roster gave the person.'),
      user_aliases: Type.Optional(Type.Array(userAlias, { description: 'Aliases.' })),
      email: maybe('Email address, as it was given.'),
      phone: maybe('Phone number, E.164.'),
      first_name: maybe('First name.'),
      last_name: maybe('Last name.'),
      dob: maybe('Date of birth, `YYYY-MM-DD`.'),
      gender: maybe('`M`, `F`, `O`, `N`, `P` or `nil`.'),
      home_city: maybe('Home city.'),
      country: maybe('ISO 3166-1 alpha-2.'),
      language: maybe('ISO 639-1.'),
      time_zone: maybe('IANA name.'),
      created_at: maybe('When the profile was created, ISO 8601.'),
      custom_attributes: Type.Optional(
        plain<{ [name: string]: Json }>({
          type: 'object',
          additionalProperties: true,
          description: 'Custom attributes by name.',
        }),
      ),
      random_bucket: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 9999,
          description: 'A number that stays the same for the person.',
        }),
      ),
      email_subscribe: maybe('`opted_in`, `subscribed` or `unsubscribed`.'),
      push_subscribe: maybe('`opted_in`, `subscribed` or `unsubscribed`.'),
    },
    { description: 'A profile. A field that is missing is null, false or empty.' },
  ),
);

const exportAnswer = shape(
  'ExportAnswer',
  Type.Object(
    {
      message: text('`success`.'),
      users: Type.Array(exportedUser, { description: 'In the order of the request.' }),
      invalid_user_ids: Type.Optional(
        Type.Array(text('An identifier.'), { description: 'Identifiers that match nobody.' }),
      ),
    },
    { description: 'The profiles.' },
  ),
);

const exportBody = Type.Object({
  external_ids: Type.Optional(Type.Array(externalId, { description: 'At most 50.' })),
  user_aliases: Type.Optional(Type.Array(userAlias, { description: 'At most 50.' })),
  service_id: Type.Optional(text('Id that Roster gave the person.', { minLength: 1, maxLength: 255 })),
  email_address: Type.Optional(text('Everybody who has this address.', { minLength: 1, maxLength: 1000 })),
  phone: Type.Optional(text('Everybody who has this number, E.164.', { minLength: 1, maxLength: 255 })),
  fields_to_export: Type.Array(text('Name of a field.', { maxLength: 255 }), {
    maxItems: 500,
    description: `Fields of the exported user: ${Object.keys(exportedUser.properties).join(', ')}.`,
  }),
});

export type ExportedUser = Static<typeof exportedUser>;
export type ExportAnswer = Static<typeof exportAnswer>;
/** The body of an export as it was accepted: external ids are texts. */
export type ExportRequest = Omit<Static<typeof exportBody>, 'external_ids'> & { external_ids?: string[] };

/** The fields that can be asked for. */
export const exportableFields: readonly string[] = Object.keys(exportedUser.properties);

function asksForFew({ external_ids, user_aliases }: JsonObject): Rejection | undefined {
  const isLong = [external_ids, user_aliases].some(
    (list) => Array.isArray(list) && list.length > MOST_IDENTIFIERS,
  );
  return isLong ? new Rejection('TOO_MANY_IDENTIFIERS') : undefined;
}

function asksForOnePerson({ service_id, email_address, phone }: JsonObject): Rejection | undefined {
  const given = [service_id, email_address, phone].filter((value) => value !== undefined);
  return given.length > 1 ? new Rejection('IDENTIFIERS_CONFLICT') : undefined;
}

function asksForKnownFields({ fields_to_export: fields }: JsonObject): Rejection | undefined {
  const unknown = Array.isArray(fields)
    ? fields.find((field) => !exportableFields.includes(String(field)))
    : undefined;
  if (unknown === undefined) return undefined;
  return new Rejection('FIELD_NOT_EXPORTABLE', {
    message: `'${unknown}' in 'fields_to_export' is not a field of the exported user`,
  });
}

function tidyExport(body: JsonObject): JsonObject {
  const { external_ids, phone } = body;
  const tidied = { ...body };
  if (Array.isArray(external_ids)) tidied.external_ids = external_ids.map(String);
  if (typeof phone === 'string') tidied.phone = normalizePhone(phone) ?? phone;
  return tidied;
}

export const usersExportIds = operation({
  id: 'users.export.ids',
  method: 'POST',
  path: '/users/export/ids',
  permission: 'users.export.ids',
  tag: 'Users',
  summary: 'Export profiles',
  description:
    'Profiles by their identifiers, with the fields that are asked for. Waits up to a second for everything that was accepted before; `X-Roster-Fresh` says whether it is included.',
  kind: 'read',
  answer: 'result',
  queue: 'export',
  success: 201,
  bodyLimit: 4 * MB,
  limit: { pool: 'users.export.ids', requests: 250, seconds: 60 },
  request: { body: exportBody },
  rules: [asksForFew, asksForOnePerson, asksForKnownFields],
  tidy: tidyExport,
  responses: { 201: exportAnswer },
  rejections: ['TOO_MANY_IDENTIFIERS', 'IDENTIFIERS_CONFLICT', 'FIELD_NOT_EXPORTABLE'],
  examples: [
    {
      title: 'By external id',
      request: {
        body: {
          external_ids: ['ada', 'nobody'],
          fields_to_export: ['external_id', 'first_name', 'email', 'custom_attributes'],
        },
      },
      response: {
        status: 201,
        body: {
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
      },
    },
    {
      title: 'An unknown field',
      request: { body: { external_ids: ['ada'], fields_to_export: ['shoe_size'] } },
      response: {
        status: 400,
        body: { message: "'shoe_size' in 'fields_to_export' is not a field of the exported user" },
      },
    },
  ],
});
