/** What is answered. */
import { count, flag, listOf, maybe, objectShape, optional, plain, text, whole } from '../../shape.ts';
import type { Json } from '../../types.ts';
import { scimSchemas } from './common.ts';
import { open } from './requests.ts';

export const scimUser = objectShape('ScimUser', 'A dashboard user.', {
  schemas: listOf(text('A schema identifier.'), 'The schemas of the user.'),
  id: text('Id of the user, such as `dfa245b7-24195aec-887bb3ad-602b3340`.'),
  ...optional({
    externalId: text('Id of the user at the identity provider.'),
    userName: text('The email of the user.'),
    name: plain<Json>({ type: 'object', description: '`givenName`, `familyName`, `formatted`.' }),
    displayName: text('Name to show.'),
    active: flag('Whether the user may sign in.'),
    emails: plain<Json>({ type: 'array', description: 'Objects with `value`, `type`, `primary`.' }),
    department: text('Department.'),
    lastSignInAt: text('When the user last signed in, such as `2024 Nov 11, 4:20 PM` (UTC), or `N/A`.'),
    permissions: plain<Json>({
      type: 'object',
      description: 'As in the request, with the ids of what was named and the permissions of each set.',
    }),
    [scimSchemas.extension]: plain<Json>({
      type: 'object',
      description: '`department` and `permissions` once more, for users that were written with this schema.',
    }),
    meta: plain<Json>({
      type: 'object',
      description: '`resourceType`, `created`, `lastModified`, `location`, `version`.',
    }),
  }),
});

export const scimList = objectShape('ScimList', 'Resources that match.', {
  schemas: listOf(
    text('`urn:ietf:params:scim:api:messages:2.0:ListResponse`.'),
    'What kind of message this is.',
  ),
  totalResults: count('How many match, on all pages.'),
  itemsPerPage: maybe(count('How many are on this page.')),
  startIndex: maybe(whole('Position of the first one, from 1.', { minimum: 1 })),
  Resources: listOf(
    plain<Json>({ type: 'object', description: 'A resource.' }),
    'The resources of this page.',
  ),
});

const resource = (name: string, description: string) =>
  objectShape(name, description, { schemas: listOf(text('A schema identifier.'), 'What this is.') }, open);
export const scimConfig = resource('ScimConfig', 'What this service provider can do: RFC 7643 section 5.');
export const scimResourceType = resource('ScimResourceType', 'A kind of resource: RFC 7643 section 6.');
export const scimSchema = resource('ScimSchema', 'The attributes of a kind of resource: RFC 7643 section 7.');
