/** What is answered. */
import { count, flag, listOf, maybe, objectShape, plain, text, whole } from '../../shape.ts';
import type { Json } from '../../types.ts';
import { scimSchemas } from './identifiers.ts';
import { open } from './members.ts';

export const scimUser = objectShape('ScimUser', 'A dashboard user.', {
  schemas: listOf(text('A schema identifier.'), 'The schemas of the user.'),
  id: text('Id of the user, such as `dfa245b7-24195aec-887bb3ad-602b3340`.'),
  externalId: maybe(text('Id of the user at the identity provider.')),
  userName: maybe(text('The email of the user.')),
  name: maybe(plain<Json>({ type: 'object', description: '`givenName`, `familyName`, `formatted`.' })),
  displayName: maybe(text('Name to show.')),
  active: maybe(flag('Whether the user may sign in.')),
  emails: maybe(plain<Json>({ type: 'array', description: 'Objects with `value`, `type`, `primary`.' })),
  department: maybe(text('Department.')),
  lastSignInAt: maybe(text('When the user last signed in, such as `2024 Nov 11, 4:20 PM` (UTC), or `N/A`.')),
  permissions: maybe(
    plain<Json>({
      type: 'object',
      description: 'As in the request, with the ids of what was named and the permissions of each set.',
    }),
  ),
  [scimSchemas.extension]: maybe(
    plain<Json>({
      type: 'object',
      description: '`department` and `permissions` once more, for users that were written with this schema.',
    }),
  ),
  meta: maybe(
    plain<Json>({
      type: 'object',
      description: '`resourceType`, `created`, `lastModified`, `location`, `version`.',
    }),
  ),
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
