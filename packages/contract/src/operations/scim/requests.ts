/** What is asked: users as they are sent, parameters, headers, searches and patches. What is not listed is let through to the worker. */
import { Type } from '@sinclair/typebox';
import { label, listOf, maybe, optional, plain, publishedKeyword, text, textOrNull } from '../../shape.ts';
import type { Json } from '../../types.ts';
import { scimSchemas } from './common.ts';

/** The worker knows the attributes. */
export const open = { additionalProperties: true };

const schemasMember = (description: string) =>
  listOf(text('A schema identifier.', { maxLength: 255 }), description, { maxItems: 20 });

export const userBody = Type.Object(
  optional({
    schemas: schemasMember(`\`${scimSchemas.user}\`. Required.`),
    userName: textOrNull(
      'The email of the user, unique in any letter case. Required on create; a PUT cannot change it.',
      { maxLength: 255 },
    ),
    externalId: textOrNull('Id of the user at the identity provider.', { maxLength: 255 }),
    name: plain<Record<string, Json> | null>({
      type: ['object', 'null'],
      description: '`givenName` and `familyName`, both required, and `formatted`. Required by POST and PUT.',
    }),
    displayName: textOrNull('Name to show.', { maxLength: 255 }),
    active: plain<boolean | string | null>({
      type: ['boolean', 'string', 'null'],
      description: 'Whether the user may sign in. Default: true.',
    }),
    emails: plain<Json>({
      type: ['array', 'object', 'null'],
      description: 'Objects with `value`, `type`, `primary`. No two dashboard users share an address.',
    }),
    department: textOrNull('`agency`, `bi`, `c_suite`, `engineering`, `finance`, `marketing` or `pm`.', {
      maxLength: 255,
    }),
    permissions: plain<Record<string, Json> | null>({
      type: ['object', 'null'],
      description:
        '`companyPermissions` (texts); `roles` (`roleName` or `roleId`); `appGroup`: objects with `appGroupName` or `appGroupId` (the default workspace when there is neither), `appGroupPermissions` (texts), `appGroupPermissionSets` (`appGroupPermissionSetName` or its id), `team` (`teamName` or `teamId`, `teamPermissions`). An id counts only where the name is missing.',
    }),
  }),
  open,
);

export const idParameter = { params: Type.Object({ id: label('Id of the resource.') }) };

const attributeNames = 'Names of attributes, separated by commas, such as `userName,name.givenName`.';
export const picking = optional({
  attributes: text(`The only attributes to send. ${attributeNames}`, { maxLength: 2000 }),
  excludedAttributes: text(`Attributes not to send. ${attributeNames}`, { maxLength: 2000 }),
});
const whole = '^[+-]?[0-9]{1,10}$';

/** In any letter case. */
const sortOrders = { pattern: '^([Aa][Ss]|[Dd][Ee][Ss])[Cc][Ee][Nn][Dd][Ii][Nn][Gg]$' };

export const listQuery = Type.Object({
  ...optional({
    filter: text('For example `userName eq "ada@example.com"`: RFC 7644 3.4.2.2.', { maxLength: 4096 }),
    startIndex: text('Position of the first one, from 1.', { pattern: whole }),
    count: text('The most users in one answer. Default: 100; at most 200.', { pattern: whole }),
    sortBy: text('An attribute.', { maxLength: 255 }),
    sortOrder: text('`ascending` or `descending`.', { maxLength: 20, [publishedKeyword]: sortOrders }),
  }),
  ...picking,
});

const someNames = (description: string) =>
  listOf(text('Name of an attribute.', { maxLength: 255 }), description, { maxItems: 100 });

export const searchBody = Type.Object(
  optional({
    schemas: schemasMember(`\`${scimSchemas.search}\`.`),
    filter: textOrNull('As in the list.', { maxLength: 4096 }),
    startIndex: plain<number | null>({ type: ['integer', 'null'], description: 'From 1.' }),
    count: plain<number | null>({ type: ['integer', 'null'], description: 'At most so many.' }),
    sortBy: textOrNull('An attribute.', { maxLength: 255 }),
    sortOrder: textOrNull('`ascending` or `descending`.', { maxLength: 20, [publishedKeyword]: sortOrders }),
    attributes: someNames('The only attributes to send.'),
    excludedAttributes: someNames('Attributes not to send.'),
  }),
  open,
);

const change = Type.Object(
  optional({
    op: text('`add`, `replace` or `remove`, in any letter case.', { maxLength: 20 }),
    path: textOrNull('Where, such as `emails[type eq "work"].value`.', { maxLength: 1000 }),
    value: plain<Json>({ description: 'What; without a path, an object of attributes.' }),
  }),
  { ...open, description: 'One change.' },
);

export const patchBody = Type.Object(
  optional({
    schemas: schemasMember(`\`${scimSchemas.patch}\`. Required.`),
    Operations: listOf(change, 'The changes, all or none, 200 at most. Required.'),
  }),
  open,
);

export const ifMatch = Type.Object({
  'if-match': maybe(text('Only if this is still the version (`meta.version`).', { minLength: 1 })),
});
export const ifNoneMatch = Type.Object({
  'if-none-match': maybe(text('304 instead of a user that still has this version.', { minLength: 1 })),
});
