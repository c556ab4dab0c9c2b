/** The common parts of SCIM operations. */

/** Twice the bound of a user. */
const bodyLimit = 512 * 1024;

const scimLimit = { pool: 'scim', requests: 5000, seconds: 86_400 } as const;

export const common = {
  permission: 'scim',
  auth: 'scim',
  dialect: 'scim',
  tag: 'SCIM',
  answer: 'result',
  queue: 'scim',
  bodyLimit,
  limit: scimLimit,
} as const;

export const scimError = (status: number, detail: string, scimType?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    detail,
    status,
    ...(scimType && { scimType }),
  },
});
