/** What all SCIM operations share. */
import type { RejectionCode } from '../../rejections/rejections.ts';
import type { Json } from '../../types.ts';
import { refusedAs } from '../examples.ts';

/** The names by which SCIM messages and schemas know each other. */
export const scimSchemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  extension: 'urn:ietf:params:scim:schemas:extension:roster:2.0:User',
  workspace: 'urn:ietf:params:scim:schemas:extension:roster:2.0:Workspace',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
} as const;

export const common = {
  permission: 'scim',
  auth: 'scim',
  dialect: 'scim',
  tag: 'SCIM',
  answer: 'result',
  queue: 'scim',
  /** Twice what a user may have. */
  bodyLimit: 512 * 1024,
  limit: { pool: 'scim', requests: 5000, seconds: 86_400 },
} as const;

export const readRow = { ...common, method: 'GET', kind: 'read', success: 200 } as const;

export const scimRefusedAs = (code: RejectionCode) => refusedAs(code, {}, 'scim');

/** One user, for examples. */
export const exampleId = 'dfa245b7-24195aec-887bb3ad-602b3340';

export const permissions = {
  companyPermissions: ['manage_company_settings'],
  roles: [{ roleName: 'Analyst' }],
  appGroup: [
    {
      appGroupName: 'Shop',
      appGroupPermissions: ['basic_access', 'send_campaigns_canvases'],
      team: [{ teamName: 'Europe', teamPermissions: ['admin'] }],
    },
  ],
};

const shownPermissions = {
  companyPermissions: ['manage_company_settings'],
  roles: [{ roleName: 'Analyst', roleId: '5f1b2c3d4e5f60718293a4b5' }],
  appGroup: [
    {
      appGroupId: '6a2c3d4e5f60718293a4b5c6',
      appGroupName: 'Shop',
      appGroupPermissions: ['basic_access', 'send_campaigns_canvases'],
      team: [{ teamId: '7b3d4e5f60718293a4b5c6d7', teamName: 'Europe', teamPermissions: ['admin'] }],
    },
  ],
};

export const ada = {
  schemas: [scimSchemas.user],
  userName: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  department: 'engineering',
};

export const shownAda = {
  ...ada,
  id: exampleId,
  active: true,
  lastSignInAt: 'N/A',
  permissions: shownPermissions,
  meta: {
    resourceType: 'User',
    created: '2026-01-31T12:00:00.000Z',
    lastModified: '2026-01-31T12:00:00.000Z',
    location: `/scim/v2/Users/${exampleId}`,
    version: 'W/"1"',
  },
};

export const listing = (...found: Json[]) => ({
  schemas: [scimSchemas.list],
  totalResults: found.length,
  itemsPerPage: found.length,
  startIndex: 1,
  Resources: found,
});
