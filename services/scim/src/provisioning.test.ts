/** The life of a user as two identity providers send it: the requests in their order and form, and what they need of the answers. */
import { patchOp, type ScimRequest, useProvisioner, users } from './testbed.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

interface Exchange {
  title: string;
  send: ScimRequest;
  status: number;
  wanted?: object;
}

/** `ID` stands for the id of the user, which the creation tells. */
const ofOne = `${users}/ID`;
const looks = (title: string, query: string, wanted: object): Exchange => ({
  ...{ title, status: 200, wanted },
  send: { method: 'GET', path: `${users}?${query}` },
});
const creates = (title: string, body: object, wanted: object, status = 201): Exchange => ({
  ...{ title, status, wanted },
  send: { method: 'POST', path: users, body: { schemas: [core], ...body } },
});
const changes = (title: string, operations: object[], wanted: object): Exchange => ({
  ...{ title, status: 200, wanted },
  send: { method: 'PATCH', path: ofOne, body: { schemas: [patchOp], Operations: operations } },
});
const reads = (title: string, status: number, wanted: object): Exchange => ({
  ...{ title, status, wanted },
  send: { method: 'GET', path: ofOne },
});
const deletes: Exchange = { title: 'deletes', send: { method: 'DELETE', path: ofOne }, status: 204 };

const nobody = { totalResults: 0, Resources: [] };
const theUser = { totalResults: 1, Resources: [expect.objectContaining({ id: 'ID' })] };

const okta: Exchange[] = [
  looks('tries the connection', 'startIndex=1&count=2', { startIndex: 1 }),
  looks(
    'looks whether the user is there',
    'filter=userName%20eq%20%22okta.user%40idp.test%22&startIndex=1&count=100',
    nobody,
  ),
  creates(
    'creates',
    {
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
    { userName: 'okta.user@idp.test', active: true, externalId: '00ujl29u0le5T6Aj10h7' },
  ),
  looks(
    'finds the user now',
    'filter=userName+eq+%22OKTA.user%40idp.test%22&count=100&startIndex=1',
    theUser,
  ),
  reads('reads before it updates', 200, { displayName: 'Olga Kent' }),
  {
    title: 'updates the whole user',
    send: {
      method: 'PUT',
      path: ofOne,
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
  changes('deactivates', [{ op: 'replace', value: { active: false } }], { active: false }),
  changes('reactivates', [{ op: 'replace', value: { active: true } }], {
    active: true,
    displayName: 'Olga Kent-Lane',
  }),
  deletes,
  reads('finds no user any more', 404, { detail: 'Resource not found' }),
];

const entra: Exchange[] = [
  looks(
    'tries the connection with a user that there is not',
    'filter=userName+eq+%22131d0a7d-6f3b-4f6e-9d27-5d1a9b1c9d11%22',
    nobody,
  ),
  looks('looks by its own id', 'filter=externalId%20eq%20%220a21f0f2%22', { totalResults: 0 }),
  creates(
    'creates',
    {
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
    { userName: 'Entra_User_ab6490ee@idp.test', active: true },
  ),
  looks(
    'matches by userName in its own letter case',
    'filter=userName+eq+%22entra_user_AB6490EE%40idp.test%22',
    theUser,
  ),
  creates(
    'creates again, for it has lost the first answer',
    {
      userName: 'entra_user_ab6490ee@idp.test',
      name: { givenName: 'Enno', familyName: 'Traub' },
      active: true,
    },
    { scimType: 'uniqueness', status: 409 },
    409,
  ),
  changes(
    'updates attributes, some of them unknown here',
    [
      { op: 'Replace', path: 'displayName', value: 'Enno J. Traub' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'updated@idp.test' },
      { op: 'Replace', path: 'name.familyName', value: 'Traub-Adler' },
      { op: 'Add', path: 'title', value: 'Head Clerk' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+49 30 123456' },
      { op: 'Replace', path: `${enterprise}:department`, value: 'Marketing' },
    ],
    {
      displayName: 'Enno J. Traub',
      emails: [{ type: 'work', value: 'updated@idp.test', primary: true }],
      name: { formatted: 'Enno Traub', familyName: 'Traub-Adler', givenName: 'Enno' },
    },
  ),
  changes('renames', [{ op: 'Replace', path: 'userName', value: 'enno@idp.test' }], {
    userName: 'enno@idp.test',
  }),
  changes('disables, with a text for a boolean', [{ op: 'Replace', path: 'active', value: 'False' }], {
    active: false,
  }),
  changes(
    'enables again, in one object',
    [{ op: 'Add', value: { active: 'True', 'name.givenName': 'Enno J.' } }],
    { active: true, name: expect.objectContaining({ givenName: 'Enno J.' }) },
  ),
  deletes,
  { ...deletes, title: 'deletes again', status: 404, wanted: { detail: 'User not found' } },
];

const withId = <Thing>(thing: Thing, id: string): Thing =>
  thing === undefined
    ? thing
    : JSON.parse(JSON.stringify(thing).replaceAll('"ID"', `"${id}"`).replaceAll('/ID"', `/${id}"`));

describe.each([
  ['Okta', okta],
  ['Entra ID', entra],
])('%s', (_name, exchanges) => {
  const { store, idp } = useProvisioner();
  let id = 'none';

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
    const { dashboard, audit } = store;
    expect([await dashboard.users.countDocuments(), await dashboard.claims.countDocuments()]).toEqual([0, 0]);
    const { broken, rows } = await audit.verify();
    expect([broken, rows > 4]).toEqual([undefined, true]);
  });
});
