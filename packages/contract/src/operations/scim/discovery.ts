/** What the SCIM endpoints are and can do. */
import { exchange, operation } from '../../operation.ts';
import { listing, readRow, scimRefusedAs, scimSchemas } from './common.ts';
import { idParameter } from './requests.ts';
import { scimConfig, scimList, scimResourceType, scimSchema } from './shapes.ts';

const listRow = { ...readRow, request: {}, responses: { 200: scimList }, rejections: [] } as const;

export const scimConfigRead = operation({
  ...readRow,
  id: 'scim.config.read',
  path: '/scim/v2/ServiceProviderConfig',
  summary: 'What the SCIM endpoints can do',
  description: 'RFC 7644 section 4.',
  request: {},
  responses: { 200: scimConfig },
  rejections: [],
  examples: [
    exchange('The beginning of it', { 200: { schemas: [scimSchemas.config], patch: { supported: true } } }),
  ],
});

export const scimTypesList = operation({
  ...listRow,
  id: 'scim.types.list',
  path: '/scim/v2/ResourceTypes',
  summary: 'The kinds of SCIM resources',
  description: 'There is one: User.',
  examples: [
    exchange('The beginning of it', {
      200: listing({ schemas: [scimSchemas.resourceType], id: 'User', endpoint: '/Users' }),
    }),
  ],
});

export const scimTypesRead = operation({
  ...readRow,
  id: 'scim.types.read',
  path: '/scim/v2/ResourceTypes/{id}',
  summary: 'One kind of SCIM resource',
  description: 'By its id, `User`.',
  request: idParameter,
  responses: { 200: scimResourceType },
  rejections: ['SCIM_RESOURCE_NOT_FOUND'],
  examples: [
    exchange('A kind that there is not', {
      params: { id: 'Group' },
      ...scimRefusedAs('SCIM_RESOURCE_NOT_FOUND'),
    }),
  ],
});

export const scimSchemasList = operation({
  ...listRow,
  id: 'scim.schemas.list',
  path: '/scim/v2/Schemas',
  summary: 'The attributes of SCIM resources',
  description:
    'Every attribute that is ever sent, with its sub-attributes; the names of the company (roles, workspaces, teams, permission sets) are their canonical values.',
  examples: [
    exchange('The beginning of it', {
      200: listing({ schemas: [scimSchemas.schema], id: scimSchemas.user, name: 'User' }),
    }),
  ],
});

export const scimSchemasRead = operation({
  ...readRow,
  id: 'scim.schemas.read',
  path: '/scim/v2/Schemas/{id}',
  summary: 'The attributes of one schema',
  description: 'By its identifier.',
  request: idParameter,
  responses: { 200: scimSchema },
  rejections: ['SCIM_RESOURCE_NOT_FOUND'],
  examples: [
    exchange('A schema that there is not', {
      params: { id: 'urn:example:nothing' },
      ...scimRefusedAs('SCIM_RESOURCE_NOT_FOUND'),
    }),
  ],
});
