/** What the SCIM endpoints are and can do. */
import { operation } from '../../operation.ts';
import { common, scimError } from './common.ts';
import { listing } from './examples.ts';
import { scimSchemas } from './identifiers.ts';
import { idParameter } from './requests.ts';
import { scimConfig, scimList, scimResourceType, scimSchema } from './shapes.ts';

export const scimConfigRead = operation({
  ...common,
  id: 'scim.config.read',
  method: 'GET',
  path: '/scim/v2/ServiceProviderConfig',
  summary: 'What the SCIM endpoints can do',
  description: 'RFC 7644 section 4.',
  kind: 'read',
  success: 200,
  request: {},
  responses: { 200: scimConfig },
  rejections: [],
  examples: [
    {
      title: 'The beginning of it',
      request: {},
      response: { status: 200, body: { schemas: [scimSchemas.config], patch: { supported: true } } },
    },
  ],
});

export const scimTypesList = operation({
  ...common,
  id: 'scim.types.list',
  method: 'GET',
  path: '/scim/v2/ResourceTypes',
  summary: 'The kinds of SCIM resources',
  description: 'There is one: User.',
  kind: 'read',
  success: 200,
  request: {},
  responses: { 200: scimList },
  rejections: [],
  examples: [
    {
      title: 'The beginning of it',
      request: {},
      response: {
        status: 200,
        body: listing({ schemas: [scimSchemas.resourceType], id: 'User', endpoint: '/Users' }),
      },
    },
  ],
});

export const scimTypesRead = operation({
  ...common,
  id: 'scim.types.read',
  method: 'GET',
  path: '/scim/v2/ResourceTypes/{id}',
  summary: 'One kind of SCIM resource',
  description: 'By its id, `User`.',
  kind: 'read',
  success: 200,
  request: idParameter,
  responses: { 200: scimResourceType },
  rejections: ['SCIM_RESOURCE_NOT_FOUND'],
  examples: [
    {
      title: 'A kind that there is not',
      request: { params: { id: 'Group' } },
      response: scimError(404, 'Resource not found'),
    },
  ],
});

export const scimSchemasList = operation({
  ...common,
  id: 'scim.schemas.list',
  method: 'GET',
  path: '/scim/v2/Schemas',
  summary: 'The attributes of SCIM resources',
  description:
    'Every attribute that is ever sent, with its sub-attributes; the names of the company (roles, workspaces, teams, permission sets) are their canonical values.',
  kind: 'read',
  success: 200,
  request: {},
  responses: { 200: scimList },
  rejections: [],
  examples: [
    {
      title: 'The beginning of it',
      request: {},
      response: {
        status: 200,
        body: listing({ schemas: [scimSchemas.schema], id: scimSchemas.user, name: 'User' }),
      },
    },
  ],
});

export const scimSchemasRead = operation({
  ...common,
  id: 'scim.schemas.read',
  method: 'GET',
  path: '/scim/v2/Schemas/{id}',
  summary: 'The attributes of one schema',
  description: 'By its identifier.',
  kind: 'read',
  success: 200,
  request: idParameter,
  responses: { 200: scimSchema },
  rejections: ['SCIM_RESOURCE_NOT_FOUND'],
  examples: [
    {
      title: 'A schema that there is not',
      request: { params: { id: 'urn:example:nothing' } },
      response: scimError(404, 'Resource not found'),
    },
  ],
});
