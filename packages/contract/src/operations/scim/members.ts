/** Bodies of users, as they are sent. What is not listed is let through to the worker, which knows the attributes. */
import { Type } from '@sinclair/typebox';
import { listOf, maybe, plain, text, textOrNull } from '../../shape.ts';
import type { Json } from '../../types.ts';
import { scimSchemas } from './identifiers.ts';

export const anything = (description: string) => plain<Json>({ description });

/** Text, or `null` for none; what is not listed is let through to the worker, which knows the attributes. */
export const open = { additionalProperties: true };

export const schemasMember = (description: string) =>
  listOf(text('A schema identifier.', { maxLength: 255 }), description, { maxItems: 20 });

const nameMember = plain<Record<string, Json> | null>({
  type: ['object', 'null'],
  description: '`givenName` and `familyName`, both required, and `formatted`. Required by POST and PUT.',
});

const emailsMember = plain<Json>({
  type: ['array', 'object', 'null'],
  description: 'Objects with `value`, `type`, `primary`. No two dashboard users share an address.',
});

const permissionsMember = plain<Record<string, Json> | null>({
  type: ['object', 'null'],
  description:
    '`companyPermissions` (texts); `roles` (`roleName` or `roleId`); `appGroup`: objects with `appGroupName` or `appGroupId` (the default workspace when there is neither), `appGroupPermissions` (texts), `appGroupPermissionSets` (`appGroupPermissionSetName` or its id), `team` (`teamName` or `teamId`, `teamPermissions`). An id counts only where the name is missing.',
});

const userMembers = {
  schemas: maybe(schemasMember(`\`${scimSchemas.user}\`. Required.`)),
  userName: maybe(
    textOrNull(
      'The email of the user, unique in any letter case. Required on create; a PUT cannot change it.',
      { maxLength: 255 },
    ),
  ),
  externalId: maybe(textOrNull('Id of the user at the identity provider.', { maxLength: 255 })),
  name: maybe(nameMember),
  displayName: maybe(textOrNull('Name to show.', { maxLength: 255 })),
  active: maybe(
    plain<boolean | string | null>({
      type: ['boolean', 'string', 'null'],
      description: 'Whether the user may sign in. Default: true.',
    }),
  ),
  emails: maybe(emailsMember),
  department: maybe(
    textOrNull('`agency`, `bi`, `c_suite`, `engineering`, `finance`, `marketing` or `pm`.', {
      maxLength: 255,
    }),
  ),
  permissions: maybe(permissionsMember),
};

export const userBody = Type.Object(userMembers, open);
