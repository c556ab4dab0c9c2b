/** Every rejection that a row of SCIM names, apart from those of the ingress, has a request that brings it about. */
import { type OperationId, operations, type RejectionCode, rejections } from '@roster/contract';
import { aUser, patchOp, type ScimRequest, useProvisioner, users } from './testbed.ts';

const { idp } = useProvisioner();
let id: string;

beforeAll(async () => {
  await idp.post(users, aUser('taken@acme.test'));
  ({ id } = (await idp.post(users, aUser('ada@acme.test'))).body);
});

const searchRequest = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

type Cases = { [Code in RejectionCode]?: () => ScimRequest };

const saving = (method: string, path: () => string): Cases => {
  const sent = (body: unknown) => (): ScimRequest => ({ method, path: path(), body });
  const user = aUser('ada@acme.test');
  return {
    SCIM_SYNTAX_INVALID: sent({ ...user, schemas: [] }),
    SCIM_VALUE_INVALID: sent({ ...user, department: 'x' }),
    SCIM_USER_EXISTS: sent({ ...user, emails: [{ value: 'taken@acme.test' }] }),
  };
};

const one = (): string => `${users}/${id}`;
const patch =
  (...Operations: object[]) =>
  (): ScimRequest => ({ method: 'PATCH', path: one(), body: { schemas: [patchOp], Operations } });

const ofOne = (method: string, body?: unknown): Cases => ({
  SCIM_USER_NOT_FOUND: () => ({ method, path: `${users}/nobody`, body }),
  SCIM_VERSION_MISMATCH: () => ({ method, path: one(), body, headers: { 'if-match': 'W/"999"' } }),
});

const nothing = { schemas: [patchOp], Operations: [{ op: 'replace', path: 'active', value: true }] };

const searching = (path: string): Cases => {
  const sent = (more: object) => (): ScimRequest => ({
    method: 'POST',
    path,
    body: { schemas: [searchRequest], ...more },
  });
  return {
    SCIM_SYNTAX_INVALID: sent({ schemas: ['x'] }),
    SCIM_FILTER_INVALID: sent({ filter: 'x' }),
    SCIM_VALUE_INVALID: sent({ sortOrder: 'x', sortBy: 'userName' }),
  };
};

const missing = (path: string): Cases => ({ SCIM_RESOURCE_NOT_FOUND: () => ({ method: 'GET', path }) });

const tables: { [Id in OperationId]?: Cases } = {
  'scim.users.create': saving('POST', () => users),
  'scim.users.read': missing(`${users}/nobody`),
  'scim.users.replace': {
    ...saving('PUT', one),
    ...ofOne('PUT', aUser('ada@acme.test')),
    SCIM_ATTRIBUTE_FIXED: () => ({ method: 'PUT', path: one(), body: aUser('other@acme.test') }),
  },
  'scim.users.change': {
    ...ofOne('PATCH', nothing),
    SCIM_SYNTAX_INVALID: () => ({ method: 'PATCH', path: one(), body: { schemas: [], Operations: [] } }),
    SCIM_VALUE_INVALID: patch({ op: 'replace', path: 'department', value: 'x' }),
    SCIM_USER_EXISTS: patch({ op: 'add', path: 'emails', value: [{ value: 'taken@acme.test' }] }),
    SCIM_TOO_MANY_OPERATIONS: patch(
      ...Array.from({ length: 201 }, () => ({ op: 'replace', path: 'active', value: true })),
    ),
    SCIM_PATH_INVALID: patch({ op: 'replace', path: 'shoeSize', value: 1 }),
    SCIM_FILTER_INVALID: patch({ op: 'remove', path: 'emails[type eq x].value' }),
    SCIM_TARGET_MISSING: patch({ op: 'remove' }),
    SCIM_ATTRIBUTE_FIXED: patch({ op: 'replace', path: 'id', value: 'x' }),
  },
  'scim.users.delete': ofOne('DELETE'),
  'scim.users.list': {
    SCIM_FILTER_INVALID: () => ({ method: 'GET', path: `${users}?filter=x` }),
    SCIM_VALUE_INVALID: () => ({ method: 'GET', path: `${users}?sortBy=userName&sortOrder=x` }),
  },
  'scim.users.search': searching(`${users}/.search`),
  'scim.search': searching('/scim/v2/.search'),
  'scim.types.read': missing('/scim/v2/ResourceTypes/Group'),
  'scim.schemas.read': missing('/scim/v2/Schemas/urn:example:nothing'),
};

/** They take thousands of users or long lists: bounds.timed.test.ts. */
const ofBounds: ReadonlySet<string> = new Set<RejectionCode>(['SCIM_TOO_MUCH_WORK', 'SCIM_USER_TOO_LARGE']);

const scim = operations.filter(({ dialect, rejections }) => dialect === 'scim' && rejections.length > 0);

describe.each(scim)('$id', (operation) => {
  const cases = Object.entries(tables[operation.id] ?? {});

  it.each(cases)('%s', async (code, sent) => {
    const [got] = await idp.twice(sent());
    const { status: wanted } = rejections[code as RejectionCode];
    expect([got?.headers['X-Roster-Error'], got?.status, typeof got?.body?.detail]).toEqual([
      code,
      wanted,
      'string',
    ]);
  });

  it('names these, and those of the bounds', () => {
    const told = operation.rejections.filter((code) => !ofBounds.has(code));
    expect(told.toSorted()).toEqual(cases.map(([code]) => code).toSorted());
  });
});
