/** One dashboard user: create, read, replace, change, delete. */
import { Type } from '@sinclair/typebox';
import { exchange, operation } from '../../operation.ts';
import { ada, common, exampleId, permissions, scimRefusedAs, scimSchemas, shownAda } from './common.ts';
import { withoutPasswords } from './passwords.ts';
import { idParameter, ifMatch, ifNoneMatch, patchBody, picking, userBody } from './requests.ts';
import { scimUser } from './shapes.ts';

const changesAUser = [
  'SCIM_SYNTAX_INVALID',
  'SCIM_VALUE_INVALID',
  'SCIM_USER_EXISTS',
  'SCIM_USER_TOO_LARGE',
] as const;

export const scimUsersCreate = operation({
  ...common,
  id: 'scim.users.create',
  method: 'POST',
  path: '/scim/v2/Users',
  summary: 'Create a dashboard user',
  description:
    'Names of workspaces, teams, roles and permission sets are those of the company (`roster company apply`). Without `permissions` the user gets the default workspace and no permission in it. A user has at most 100 emails, 1,000 elements in any other list, and 256 KB as it is shown.',
  kind: 'write',
  success: 201,
  request: { query: Type.Object(picking), body: userBody },
  tidy: withoutPasswords,
  responses: { 201: scimUser },
  rejections: changesAUser,
  examples: [
    exchange('A user with permissions', { body: { ...ada, permissions }, 201: shownAda }),
    exchange('A user that is there already', { body: ada, ...scimRefusedAs('SCIM_USER_EXISTS') }),
  ],
});

export const scimUsersRead = operation({
  ...common,
  id: 'scim.users.read',
  method: 'GET',
  path: '/scim/v2/Users/{id}',
  summary: 'Read a dashboard user',
  description: 'By the id that was returned on creation or by a search.',
  kind: 'read',
  success: 200,
  request: { ...idParameter, query: Type.Object(picking), headers: ifNoneMatch },
  responses: { 200: scimUser },
  rejections: ['SCIM_RESOURCE_NOT_FOUND'],
  examples: [
    exchange('A user', { params: { id: exampleId }, 200: shownAda }),
    exchange('A user that is not there', {
      params: { id: '00000000-00000000-00000000-00000000' },
      ...scimRefusedAs('SCIM_RESOURCE_NOT_FOUND'),
    }),
  ],
});

const changesOne = ['SCIM_USER_NOT_FOUND', 'SCIM_VERSION_MISMATCH'] as const;

const changingRow = {
  ...common,
  path: '/scim/v2/Users/{id}',
  kind: 'write',
  success: 200,
  tidy: withoutPasswords,
  responses: { 200: scimUser },
} as const;

const changingRequest = { ...idParameter, query: Type.Object(picking), headers: ifMatch };

export const scimUsersReplace = operation({
  ...changingRow,
  id: 'scim.users.replace',
  method: 'PUT',
  summary: 'Replace a dashboard user',
  description:
    'Members that are left out get the value they have on creation, except `userName` and `active`, which stay as they are. Another `userName` is refused (`mutability`): a PATCH renames. A user who is not active can no longer sign in to anything, from this moment.',
  request: { ...changingRequest, body: userBody },
  rejections: [...changesAUser, 'SCIM_ATTRIBUTE_FIXED', ...changesOne],
  examples: [
    exchange('Another department', {
      params: { id: exampleId },
      body: { ...ada, department: 'finance', permissions },
      200: { ...shownAda, department: 'finance' },
    }),
  ],
});

export const scimUsersChange = operation({
  ...changingRow,
  id: 'scim.users.change',
  method: 'PATCH',
  summary: 'Change a dashboard user',
  description:
    'RFC 7644 3.5.2: `add`, `replace` and `remove`, with paths and value filters, all or none. Operations in capitals and booleans as texts are understood. Attributes of RFC 7643 that Roster does not keep (`title`, `phoneNumbers`, the enterprise extension, ...) are ignored. At most 200 operations, where each member of a value without a path counts as one.',
  request: { ...changingRequest, body: patchBody },
  rejections: [
    ...changesAUser,
    'SCIM_TOO_MANY_OPERATIONS',
    'SCIM_TOO_MUCH_WORK',
    'SCIM_PATH_INVALID',
    'SCIM_FILTER_INVALID',
    'SCIM_TARGET_MISSING',
    'SCIM_ATTRIBUTE_FIXED',
    ...changesOne,
  ],
  examples: [
    exchange('No longer allowed in', {
      params: { id: exampleId },
      body: {
        schemas: [scimSchemas.patch],
        Operations: [{ op: 'replace', path: 'active', value: false }],
      },
      200: { ...shownAda, active: false },
    }),
  ],
});

export const scimUsersDelete = operation({
  ...common,
  id: 'scim.users.delete',
  method: 'DELETE',
  path: '/scim/v2/Users/{id}',
  summary: 'Delete a dashboard user',
  description: 'For good. The user can no longer sign in to anything, from this moment.',
  kind: 'write',
  success: 204,
  request: { ...idParameter, headers: ifMatch },
  responses: { 204: Type.Null({ description: 'Gone. There is no body.' }) },
  rejections: changesOne,
  examples: [
    exchange('A user that is not there', {
      params: { id: '00000000-00000000-00000000-00000000' },
      ...scimRefusedAs('SCIM_USER_NOT_FOUND'),
    }),
  ],
});
