/** What this service provider is and can do: RFC 7644 section 4. */
import { scimSchemas } from '@roster/contract';
import type { CallContext, ScimHandler } from '../handler.ts';
import { resourceNotFound } from '../refusals.ts';
import { listMessage, mostResults } from '../users/list-users.ts';
import { schemasOf } from './describe-schema.ts';

export const readConfig: ScimHandler = (_request, { publicUrl }) => ({
  status: 200,
  body: {
    schemas: [scimSchemas.config],
    documentationUri: publicUrl ? `${publicUrl}/docs` : 'https://www.rfc-editor.org/rfc/rfc7644',
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: mostResults },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'Authorization: Bearer <SCIM token>, together with X-Request-Origin.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${publicUrl}/scim/v2/ServiceProviderConfig`,
    },
  },
});

type Described = (asked: CallContext) => { id: string }[];

const resourceTypes: Described = ({ publicUrl }) => [
  {
    schemas: [scimSchemas.resourceType],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'A dashboard user',
    schema: scimSchemas.user,
    schemaExtensions: [{ schema: scimSchemas.extension, required: false }],
    meta: { resourceType: 'ResourceType', location: `${publicUrl}/scim/v2/ResourceTypes/User` },
  },
];

const listOf =
  (described: Described): ScimHandler =>
  (_request, asked) => {
    const all = described(asked);
    return { status: 200, body: listMessage(all, all.length, 1) };
  };

const oneOf =
  (described: Described): ScimHandler =>
  ({ params }, asked) => {
    const wanted = params?.id?.toLowerCase();
    const found = described(asked).find(({ id }) => id.toLowerCase() === wanted);
    if (!found) throw resourceNotFound();
    return { status: 200, body: found };
  };

export const listTypes = listOf(resourceTypes);
export const readType = oneOf(resourceTypes);
export const listSchemas = listOf(schemasOf);
export const readSchema = oneOf(schemasOf);
