/** The life of a user as two identity providers send it: the requests in their order and form, and what they need of the answers. */
import type { CompanySettings } from '@roster/access';
import { useStore } from '@roster/testkit';
import { acme, createProvisioner, type ScimRequest } from './testbed.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

interface Exchange {
  title: string;
  send: ScimRequest;
  status: number;
  wanted?: object;
}

/** `ID` stands for the id of the user, which the creation tells. */
const okta: Exchange[] = [
  {
    title: 'tries the connection',
    send: { method: 'GET', path: '/scim/v2/Users?startIndex=1&count=2' },
    status: 200,
    wanted: { startIndex: 1 },
  },
  {
    title: 'looks whether the user is there',
    send: {
      method: 'GET',
      path: '/scim/v2/Users?filter=userName%20eq%20%22okta.user%40idp.test%22&startIndex=1&count=100',
    },
    status: 200,
    wanted: { totalResults: 0, Resources: [] },
  },
  {
    title: 'creates',
    send: {
      method: 'POST',
      path: '/scim/v2/Users',
      body: {
        schemas: [core],
        userName: 'okta.user@idp.test',
        name: { givenName: 'Olga', familyName: 'Kent' },
        emails: [{ primary: true, value: 'okta.user@idp.test', type: 'work' }],
        displayName: 'Olga Kent',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      },
    },
    status: 201,
    wanted: { userName: 'okta.user@idp.test', active: true, externalId: '00ujl29u0le5T6Aj10h7' },
  },
  {
    title: 'finds the user now',
    send: {
      method: 'GET',
      path: '/scim/v2/Users?filter=userName+eq+%22OKTA.user%40idp.test%22&count=100&startIndex=1',
    },
    status: 200,
    wanted: { totalResults: 1, Resources: [expect.objectContaining({ id: 'ID' })] },
  },
  {
    title: 'reads before it updates',
    send: { method: 'GET', path: '/scim/v2/Users/ID' },
    status: 200,
    wanted: { displayName: 'Olga Kent' },
  },
  {
    title: 'updates the whole user',
    send: {
      method: 'PUT',
      path: '/scim/v2/Users/ID',
      body: {
        schemas: [core],
        id: 'ID',
        userName: 'okta.user@idp.test',
        name: { givenName: 'Olga', familyName: 'Kent-Lane' },
        emails: [{ primary: true, value: 'okta.user@idp.test', type: 'work' }],
        displayName: 'Olga Kent-Lane',
        active: true,
        groups: [],
        meta: { resourceType: 'User' },
      },
    },
    status: 200,
    wanted: { name: { givenName: 'Olga', familyName: 'Kent-Lane' }, active: true },
  },
  {
    title: 'deactivates',
    send: {
      method: 'PATCH',
      path: '/scim/v2/Users/ID',
      body: { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: false } }] },
    },
    status: 200,
    wanted: { active: false },
  },
  {
    title: 'reactivates',
    send: {
      method: 'PATCH',
      path: '/scim/v2/Users/ID',
      body: { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: true } }] },
    },
    status: 200,
    wanted: { active: true, displayName: 'Olga Kent-Lane' },
  },
  { title: 'deletes', send: { method: 'DELETE', path: '/scim/v2/Users/ID' }, status: 204 },
  {
    title: 'finds no user any more',
    send: { method: 'GET', path: '/scim/v2/Users/ID' },
    status: 404,
    wanted: { detail: 'Resource not found' },
  },
];

const entra: Exchange[] = [
  {
    title: 'tries the connection with a user that there is not',
    send: {
      method: 'GET',
      path: '/scim/v2/Users?filter=userName+eq+%22131d0a7d-6f3b-4f6e-9d27-5d1a9b1c9d11%22',
    },
    status: 200,
    wanted: { totalResults: 0, Resources: [] },
  },
  {
    title: 'looks by its own id',
    send: { method: 'GET', path: '/scim/v2/Users?filter=externalId%20eq%20%220a21f0f2%22' },
    status: 200,
    wanted: { totalResults: 0 },
  },
  {
    title: 'creates',
    send: {
      method: 'POST',
      path: '/scim/v2/Users',
      body: {
        schemas: [core, enterprise],
        externalId: '0a21f0f2',
        userName: 'Entra_User_ab6490ee@idp.test',
        active: true,
        addresses: null,
        displayName: 'Enno Traub',
        emails: [{ type: 'work', value: 'Entra_work_fd0ef19b@idp.test', primary: true }],
        meta: { created: '2018-11-13T17:50:38Z', resourceType: 'User' },
        name: { formatted: 'Enno Traub', familyName: 'Traub', givenName: 'Enno' },
        phoneNumbers: null,
        roles: [],
        title: 'Clerk',
        [enterprise]: { department: 'Sales', manager: null },
      },
    },
    status: 201,
    wanted: { userName: 'Entra_User_ab6490ee@idp.test', active: true },
  },
  {
    title: 'matches by userName in its own letter case',
    send: { method: 'GET', path: '/scim/v2/Users?filter=userName+eq+%22entra_user_AB6490EE%40idp.test%22' },
    status: 200,
    wanted: { totalResults: 1, Resources: [expect.objectContaining({ id: 'ID' })] },
  },
  {
    title: 'creates again, for it has lost the first answer',
    send: {
      method: 'POST',
      path: '/scim/v2/Users',
      body: {
        schemas: [core],
        userName: 'entra_user_ab6490ee@idp.test',
        name: { givenName: 'Enno', familyName: 'Traub' },
        active: true,
      },
    },
    status: 409,
    wanted: { scimType: 'uniqueness', status: 409 },
  },
  {
    title: 'updates attributes, some of them unknown here',
    send: {
      method: 'PATCH',
      path: '/scim/v2/Users/ID',
      body: {
        schemas: [patchOp],
        Operations: [
          { op: 'Replace', path: 'displayName', value: 'Enno J. Traub' },
          { op: 'Add', path: 'emails[type eq "work"].value', value: 'updated@idp.test' },
          { op: 'Replace', path: 'name.familyName', value: 'Traub-Adler' },
          { op: 'Add', path: 'title', value: 'Head Clerk' },
          { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+49 30 123456' },
          { op: 'Replace', path: `${enterprise}:department`, value: 'Marketing' },
        ],
      },
    },
    status: 200,
    wanted: {
      displayName: 'Enno J. Traub',
      emails: [{ type: 'work', value: 'updated@idp.test', primary: true }],
      name: { formatted: 'Enno Traub', familyName: 'Traub-Adler', givenName: 'Enno' },
    },
  },
  {
    title: 'renames',
    send: {
      method: 'PATCH',
      path: '/scim/v2/Users/ID',
      body: { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'userName', value: 'enno@idp.test' }] },
    },
    status: 200,
    wanted: { userName: 'enno@idp.test' },
  },
  {
    title: 'disables, with a text for a boolean',
    send: {
      method: 'PATCH',
      path: '/scim/v2/Users/ID',
      body: { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
    },
    status: 200,
    wanted: { active: false },
  },
  {
    title: 'enables again, in one object',
    send: {
      method: 'PATCH',
      path: '/scim/v2/Users/ID',
      body: {
        schemas: [patchOp],
        Operations: [{ op: 'Add', value: { active: 'True', 'name.givenName': 'Enno J.' } }],
      },
    },
    status: 200,
    wanted: { active: true, name: expect.objectContaining({ givenName: 'Enno J.' }) },
  },
  { title: 'deletes', send: { method: 'DELETE', path: '/scim/v2/Users/ID' }, status: 204 },
  {
    title: 'deletes again',
    send: { method: 'DELETE', path: '/scim/v2/Users/ID' },
    status: 404,
    wanted: { detail: 'User not found' },
  },
];

const withId = <Thing>(thing: Thing, id: string): Thing =>
  thing === undefined
    ? thing
    : JSON.parse(JSON.stringify(thing).replaceAll('"ID"', `"${id}"`).replaceAll('/ID"', `/${id}"`));

describe.each([
  ['Okta', okta],
  ['Entra ID', entra],
])('%s', (_name, exchanges) => {
  const store = useStore();
  let idp: ReturnType<typeof createProvisioner>;
  let id = 'none';

  beforeAll(async () => {
    await store.companies.put<CompanySettings>(acme);
    idp = createProvisioner(store);
  });

  it.each(exchanges.map((exchange) => [exchange.title, exchange] as const))(
    '%s',
    async (_title, { send, status, wanted }) => {
      const got = await idp.ask(withId(send, id));
      expect([got.status, got.body]).toEqual([status, wanted ? expect.anything() : undefined]);
      if (send.method === 'POST' && status === 201) id = got.body.id;
      const body = got.body && JSON.parse(JSON.stringify(got.body).replaceAll(id, 'ID'));
      if (wanted) expect(body).toMatchObject(wanted);
    },
  );

  it('leaves nothing behind but the audit log, which is whole', async () => {
    const { users, claims } = store.dashboard;
    expect([await users.countDocuments(), await claims.countDocuments()]).toEqual([0, 0]);
    const { broken, rows } = await store.audit.verify();
    expect([broken, rows > 4]).toEqual([undefined, true]);
  });
});
