import type { CompanySettings } from '@roster/access';
import { classify } from '@roster/store';
import { acme, aUser, createProvisioner, type Got, useProvisioner, users } from './testbed.ts';
import { signInText } from './users/show-user.ts';

const extension = 'urn:ietf:params:scim:schemas:extension:roster:2.0:User';
const core = 'urn:ietf:params:scim:schemas:core:2.0:User';

const { store, idp } = useProvisioner();

const create = async (userName: string, more: object = {}) => {
  const { status, body } = await idp.post(users, aUser(userName, more));
  expect(status).toBe(201);
  return body;
};
const found = async (filter: string) =>
  (await idp.get(`${users}?count=200&filter=${encodeURIComponent(filter)}`)).body.Resources.map(
    ({ userName }: { userName: string }) => userName,
  );

describe('create', () => {
  it('answers 201 with the user, its id and what it may do, by names and ids', async () => {
    const permissions = {
      companyPermissions: ['manage_company_settings'],
      roles: [{ roleName: 'Analyst' }],
      appGroup: [
        {
          appGroupName: 'Shop',
          appGroupPermissions: ['basic_access', 'send_campaigns_canvases'],
          team: [{ teamName: 'Europe', teamPermissions: ['admin'] }],
          appGroupPermissionSets: [{ appGroupPermissionSetName: 'Marketer' }],
        },
      ],
    };
    const made = await idp.post(users, aUser('ada@acme.test', { department: 'finance', permissions }));
    expect(made.status).toBe(201);
    expect(made.headers).toMatchObject({ ETag: 'W/"1"', Location: `${users}/${made.body.id}` });
    const [shop] = acme.workspaces;
    expect(made.body).toEqual({
      ...aUser('ada@acme.test'),
      id: expect.stringMatching(/^([0-9a-f]{8}-){3}[0-9a-f]{8}$/),
      active: true,
      department: 'finance',
      lastSignInAt: 'N/A',
      permissions: {
        companyPermissions: ['manage_company_settings'],
        roles: [{ roleName: 'Analyst', roleId: acme.roles[0]?.id, appGroup: 'Shop' }],
        appGroup: [
          {
            appGroupId: shop?.id,
            appGroupName: 'Shop',
            appGroupPermissions: ['basic_access', 'send_campaigns_canvases'],
            appGroupPermissionSets: [
              {
                appGroupPermissionSetName: 'Marketer',
                appGroupPermissionSetId: acme.permission_sets[0]?.id,
                permissions: ['basic_access', 'send_campaigns_canvases'],
              },
            ],
            team: [{ teamId: shop?.teams[0]?.id, teamName: 'Europe', teamPermissions: ['admin'] }],
          },
        ],
      },
      meta: expect.objectContaining({
        resourceType: 'User',
        version: 'W/"1"',
        location: `${users}/${made.body.id}`,
      }),
    });
    expect((await idp.get(`${users}/${made.body.id}`)).body).toEqual(made.body);
  });

  it('gives the default workspace when none is named, and no permission in it', async () => {
    const { permissions } = await create('default@acme.test');
    expect(permissions).toEqual({ appGroup: [{ appGroupId: acme.workspaces[0]?.id, appGroupName: 'Shop' }] });
  });

  it('takes ids where names are missing', async () => {
    const roles = [{ roleId: acme.roles[1]?.id }];
    const { permissions } = await create('byid@acme.test', { permissions: { roles } });
    expect(permissions).toEqual({ roles: [{ roleName: 'Owner', roleId: acme.roles[1]?.id }] });
  });

  it('is 409 for a userName that is there in some letter case', async () => {
    await create('taken@acme.test');
    for (const userName of ['Taken@acme.test', 'TAKEN@ACME.TEST', ' taken@acme.test'])
      expect(await idp.post(users, aUser(userName))).toMatchObject({
        status: 409,
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
          detail: 'User already exists in the database.',
          status: 409,
          scimType: 'uniqueness',
        },
      });
  });

  it('is 409 for an email of another user, as userName or as email', async () => {
    await create('first@acme.test', { emails: [{ value: 'shared@acme.test', type: 'work' }] });
    expect((await idp.post(users, aUser('shared@acme.test'))).status).toBe(409);
    const emails = [{ value: 'FIRST@acme.test' }];
    expect((await idp.post(users, aUser('second@acme.test', { emails }))).status).toBe(409);
  });

  it('lets one of two through that come at once, in whatever letter case', async () => {
    for (let round = 0; round < 15; round++) {
      const names = [`Race${round}@acme.test`, `race${round}@ACME.test`];
      const both = await Promise.all(names.map((userName) => idp.post(users, aUser(userName))));
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });

  it('does the same again when its job comes twice, and notes it once', async () => {
    const [first, again] = await idp.twice({ method: 'POST', path: users, body: aUser('twice@acme.test') });
    expect([first?.status, again?.status]).toEqual([201, 201]);
    expect(again?.body).toEqual(first?.body);
    expect(await store.audit.list({ target: first?.body.id })).toHaveLength(1);
  });

  it('understands the extension, and then shows it', async () => {
    const body = { ...aUser('ext@acme.test'), schemas: [core, extension], [extension]: { department: 'bi' } };
    const { body: made } = await idp.post(users, body);
    expect(made).toMatchObject({
      schemas: [core, extension],
      department: 'bi',
      [extension]: { department: 'bi' },
    });
  });

  it('reads names of attributes in any letter case and ignores what it does not know', async () => {
    const { status, body } = await idp.post(users, {
      SCHEMAS: [core],
      username: 'case@acme.test',
      NAME: { GIVENNAME: 'C', familyname: 'D' },
      password: 'never kept',
      id: 'mine',
      __proto__: { polluted: true },
    });
    expect([status, body.name]).toEqual([201, { givenName: 'C', familyName: 'D' }]);
    expect(body.id).not.toBe('mine');
    expect(JSON.stringify(await store.dashboard.users.findOne({ _id: body.id }))).not.toContain('never kept');
  });
});

describe('the schemas', () => {
  type Described = { name: string; required: boolean; subAttributes?: Described[] };
  const required = (attributes: Described[] = [], within = ''): string[] =>
    attributes.flatMap(({ name, required: isRequired, subAttributes }) => [
      ...(isRequired ? [within + name] : []),
      ...required(subAttributes, `${within}${name}.`),
    ]);

  it('call required what is required, and nothing else', async () => {
    const { body } = await idp.get(`/scim/v2/Schemas/${core}`);
    expect(required(body.attributes)).toEqual(['userName', 'name', 'name.familyName', 'name.givenName']);
    const { id } = await create('required@acme.test');
    const parts = [{}, { givenName: 'Ada' }, { familyName: 'Lovelace' }, { givenName: '', familyName: 'L' }];
    for (const name of parts) {
      const refused = { status: 400, body: { scimType: 'invalidValue' } };
      expect(await idp.post(users, aUser('part@acme.test', { name }))).toMatchObject(refused);
      expect(await idp.put(`${users}/${id}`, aUser('required@acme.test', { name }))).toMatchObject(refused);
    }
    for (const path of ['name.givenName', 'name.familyName', 'name']) {
      const refused = { status: 400, body: { scimType: 'mutability' } };
      expect(await idp.patch(`${users}/${id}`, [{ op: 'remove', path }])).toMatchObject(refused);
    }
    expect((await idp.get(`${users}/${id}`)).body.name).toEqual({ givenName: 'Ada', familyName: 'Lovelace' });
  });

  it.each(['ada', 'ada@', '@acme.test', 'a b@acme.test', 'ada@acme', ''])(
    'refuse %j as a userName: it is no email',
    async (userName) => {
      const refused = { status: 400, body: { scimType: 'invalidValue' } };
      expect(await idp.post(users, aUser(userName))).toMatchObject(refused);
      const { id } = await create('renamed@acme.test');
      const change = [{ op: 'replace', path: 'userName', value: userName }];
      expect((await idp.patch(`${users}/${id}`, change)).status).toBe(400);
      await idp.delete(`${users}/${id}`);
    },
  );

  it('leave a user from before a name was required as they are', async () => {
    const { id } = await create('nameless@acme.test');
    await store.dashboard.users.updateOne({ _id: id }, { $set: { name: {} } });
    const change = [{ op: 'replace', path: 'active', value: false }];
    expect(await idp.patch(`${users}/${id}`, change)).toMatchObject({ status: 200, body: { active: false } });
  });
});

describe('read and delete', () => {
  it('knows no user of another company', async () => {
    const other = { ...acme, id: 'other' };
    await store.companies.put<CompanySettings>(other);
    const { id } = await create('mine@acme.test');
    const theirs = createProvisioner(store, { company: other });
    expect((await theirs.get(`${users}/${id}`)).status).toBe(404);
    expect((await theirs.delete(`${users}/${id}`)).status).toBe(404);
    expect((await theirs.post(users, aUser('mine@acme.test'))).status).toBe(201);
    expect((await theirs.get(`${users}?count=0`)).body.totalResults).toBe(1);
  });

  it('deletes for good: 204 without a body, twice for a job that comes twice, and the name is free again', async () => {
    const { id } = await create('gone@acme.test');
    const replies = await idp.twice({ method: 'DELETE', path: `${users}/${id}` });
    expect(replies.map(({ status, body }) => [status, body])).toEqual([
      [204, undefined],
      [204, undefined],
    ]);
    expect((await idp.get(`${users}/${id}`)).status).toBe(404);
    expect((await create('gone@acme.test')).id).not.toBe(id);
  });

  it('answers 304 to a caller that has the version, and sends it otherwise', async () => {
    const { id } = await create('etag@acme.test');
    expect((await idp.get(`${users}/${id}`, { 'if-none-match': 'W/"1"' })).status).toBe(304);
    expect((await idp.get(`${users}/${id}`, { 'if-none-match': '"7", W/"8"' })).status).toBe(200);
  });

  it('writes when a user last signed in as the interface does', () => {
    expect(signInText(undefined)).toBe('N/A');
    expect(signInText(new Date('2024-11-11T16:20:00Z'))).toBe('2024 Nov 11, 4:20 PM');
    expect(signInText(new Date('2024-01-02T00:05:00Z'))).toBe('2024 Jan 2, 12:05 AM');
    expect(signInText(new Date('2024-01-02T12:05:00Z'))).toBe('2024 Jan 2, 12:05 PM');
  });
});

describe('replace', () => {
  it('keeps userName and active when they are left out; the rest is as on creation', async () => {
    const { id } = await create('put@acme.test', { department: 'bi', displayName: 'Ada', active: false });
    const { userName: _left, ...body } = aUser('x', { name: { givenName: 'Augusta', familyName: 'King' } });
    const { status, body: after } = await idp.put(`${users}/${id}`, body);
    expect(status).toBe(200);
    expect(after).toMatchObject({ userName: 'put@acme.test', active: false, name: { givenName: 'Augusta' } });
    expect(after.meta.version).toBe('W/"2"');
    expect([after.department, after.displayName]).toEqual([undefined, undefined]);
  });

  it('cannot rename, in another letter case it is the same name', async () => {
    const { id } = await create('fixed@acme.test');
    expect(await idp.put(`${users}/${id}`, aUser('other@acme.test'))).toMatchObject({
      status: 400,
      body: { scimType: 'mutability' },
    });
    expect((await idp.put(`${users}/${id}`, aUser('Fixed@acme.test'))).status).toBe(200);
    expect(await found('userName eq "other@acme.test"')).toEqual([]);
  });

  it('leaves renaming to a PATCH, which frees the old name', async () => {
    const { id } = await create('old@acme.test');
    const rename = [{ op: 'replace', path: 'userName', value: 'new@acme.test' }];
    expect((await idp.patch(`${users}/${id}`, rename)).body.userName).toBe('new@acme.test');
    expect((await idp.post(users, aUser('new@acme.test'))).status).toBe(409);
    await create('old@acme.test');
  });

  it('gives no new version when nothing changes', async () => {
    const { id } = await create('same@acme.test', { department: 'pm' });
    const { body } = await idp.put(`${users}/${id}`, aUser('same@acme.test', { department: 'pm' }));
    expect(body.meta.version).toBe('W/"1"');
    expect(await store.audit.list({ target: id })).toHaveLength(1);
  });

  it('is 412 when another change was faster', async () => {
    const { id } = await create('match@acme.test');
    const change = (match: string) =>
      idp.put(`${users}/${id}`, aUser('match@acme.test', { displayName: match }), { 'if-match': match });
    expect((await change('W/"1"')).status).toBe(200);
    expect(await change('W/"1"')).toMatchObject({ status: 412, body: { status: 412 } });
    expect((await change('*')).status).toBe(200);
    expect((await idp.delete(`${users}/${id}`, { 'if-match': 'W/"1"' })).status).toBe(412);
  });

  /** As its caller: asks again when the service could not serve it in time, which a slow machine makes likely with ten at once. */
  const untilServed = async (ask: () => Promise<Got>): Promise<number> => {
    for (;;) {
      const status = await ask().then(
        (got) => got.status,
        (error) => {
          if (!['passing', 'duplicate'].includes(classify(error))) throw error;
          return 503;
        },
      );
      if (status !== 503) return status;
    }
  };

  it('serves ten changes at once one after the other: the last version counts all', async () => {
    const { id } = await create('busy@acme.test');
    const changes = Array.from({ length: 10 }, (_, index) => {
      const add = [{ op: 'add', path: 'emails', value: { value: `busy${index}@acme.test` } }];
      return untilServed(() => idp.patch(`${users}/${id}`, add));
    });
    expect(await Promise.all(changes)).toEqual(changes.map(() => 200));
    const { body } = await idp.get(`${users}/${id}`);
    expect([body.emails.length, body.meta.version]).toEqual([10, 'W/"11"']);
  });
});

describe('the list', () => {
  beforeAll(async () => {
    await create('zoe+a@list.test', {
      displayName: 'Zoë "Z" O\\Neil',
      department: 'marketing',
      externalId: 'E-1',
      emails: [
        { value: 'home@zoe.test', type: 'home' },
        { value: 'work@zoe.test', type: 'work', primary: true },
      ],
    });
    await create('yan@list.test', { displayName: 'Yan', active: false, department: 'pm' });
    await create('xia@list.test', { displayName: 'xia', name: { familyName: 'Li', givenName: 'Xia' } });
  });

  it.each([
    ['userName eq "ZOE+a@list.test"', ['zoe+a@list.test']],
    ['username Eq "zoe+a@list.test"', ['zoe+a@list.test']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "yan@list.test"', ['yan@list.test']],
    [`${extension}:department eq "pm" and userName ew "@list.test"`, ['yan@list.test']],
    ['externalId eq "E-1"', ['zoe+a@list.test']],
    ['externalId eq "e-1"', []],
    ['userName ew "@list.test" and active eq false', ['yan@list.test']],
    ['userName ew "@list.test" and active eq "False"', ['yan@list.test']],
    ['userName ew "@list.test" and not (active eq true)', ['yan@list.test']],
    [
      'userName ew "@list.test" and not (active eq true and userName sw "x")',
      ['zoe+a@list.test', 'yan@list.test'],
    ],
    ['(userName sw "yan" or userName sw "xia") and userName co "@list"', ['yan@list.test', 'xia@list.test']],
    ['((userName sw "yan@l") or ((userName sw "xia@l")))', ['yan@list.test', 'xia@list.test']],
    ['userName sw "yan@l" or userName sw "xia@l" and active eq false', ['yan@list.test']],
    ['emails[type eq "work" and value co "zoe"]', ['zoe+a@list.test']],
    ['emails[type eq "home" and primary eq true]', []],
    ['emails.type eq "home"', ['zoe+a@list.test']],
    ['emails co "home@zoe"', ['zoe+a@list.test']],
    ['emails pr and userName ew "@list.test"', ['zoe+a@list.test']],
    ['userName ew "@list.test" and not (emails pr)', ['yan@list.test', 'xia@list.test']],
    ['name.familyName eq "li"', ['xia@list.test']],
    ['displayName eq "Zoë \\"Z\\" O\\\\Neil"', ['zoe+a@list.test']],
    ['displayName eq "Zo\\u00eb \\"Z\\" O\\\\Neil"', ['zoe+a@list.test']],
    ['userName ew "@list.test" and department ne "pm"', ['zoe+a@list.test', 'xia@list.test']],
    ['userName ew "@list.test" and department eq null', ['xia@list.test']],
    ['userName ge "xia@list.test" and userName le "yan@list.test"', ['yan@list.test', 'xia@list.test']],
    ['userName gt "yan@list.test" and userName lt "zz"', ['zoe+a@list.test']],
    ['meta.created gt "2099-01-01T00:00:00Z"', []],
    ['meta.lastModified lt "2000-01-01T00:00:00Z"', []],
    ['permissions.appGroup.appGroupName eq "Blog"', []],
    ['userName eq "a or b"', []],
  ])('finds by %s', async (filter, wanted) => {
    expect(await found(filter)).toEqual(wanted);
  });

  it('answers no match as an empty list', async () => {
    expect((await idp.get(`${users}?filter=userName%20eq%20%22nobody%22`)).body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      itemsPerPage: 0,
      startIndex: 1,
      Resources: [],
    });
  });

  it('goes by pages', async () => {
    const all = (await idp.get(`${users}?count=200`)).body;
    const total = all.totalResults;
    expect(all.Resources).toHaveLength(total);
    const page = (await idp.get(`${users}?startIndex=3&count=2`)).body;
    expect(page).toMatchObject({ totalResults: total, itemsPerPage: 2, startIndex: 3 });
    expect(page.Resources).toEqual(all.Resources.slice(2, 4));
    expect((await idp.get(`${users}?count=0`)).body).toMatchObject({ totalResults: total, Resources: [] });
    expect((await idp.get(`${users}?count=-5`)).body.Resources).toEqual([]);
    expect((await idp.get(`${users}?startIndex=0&count=1`)).body.startIndex).toBe(1);
    expect((await idp.get(`${users}?startIndex=${total + 1}`)).body.Resources).toEqual([]);
    expect((await idp.get(`${users}?count=2000000000`)).body.Resources).toHaveLength(total);
  });

  it.each([
    ['sortBy=displayName', ['xia@list.test', 'yan@list.test', 'zoe+a@list.test']],
    ['sortBy=displayName&sortOrder=descending', ['zoe+a@list.test', 'yan@list.test', 'xia@list.test']],
    ['sortBy=emails', ['zoe+a@list.test', 'yan@list.test', 'xia@list.test']],
    ['sortBy=name.familyName&sortOrder=Ascending', ['xia@list.test', 'zoe+a@list.test', 'yan@list.test']],
  ])('is sorted: %s', async (query, wanted) => {
    const { body } = await idp.get(`${users}?filter=userName+ew+%22@list.test%22&${query}`);
    expect(body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(wanted);
  });

  it.each([
    ['attributes=userName', ['schemas', 'id', 'userName']],
    ['attributes=username,NAME.givenName', ['schemas', 'id', 'userName', 'name']],
    ['attributes=nothing', ['schemas', 'id']],
    [`attributes=${core}:displayName`, ['schemas', 'id', 'displayName']],
    [
      'excludedAttributes=id,meta,permissions,emails,name',
      ['schemas', 'id', 'externalId', 'userName', 'displayName', 'active', 'department', 'lastSignInAt'],
    ],
  ])('sends what is asked for: %s', async (query, wanted) => {
    const { body } = await idp.get(`${users}?filter=userName+sw+%22zoe%2Ba%22&${query}`);
    expect(Object.keys(body.Resources[0]).sort()).toEqual([...wanted].sort());
  });

  it('picks inside lists', async () => {
    const { body } = await idp.get(`${users}?filter=userName+sw+%22zoe%2Ba%22&attributes=emails.value`);
    expect(body.Resources[0].emails).toEqual([{ value: 'home@zoe.test' }, { value: 'work@zoe.test' }]);
  });

  it('can be asked for in a body', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
    const page = { count: 1, startIndex: 2, attributes: ['userName'] };
    const asked = { schemas, filter: 'userName ew "@list.test"', ...page };
    const wanted = { totalResults: 3, startIndex: 2, Resources: [{ userName: 'yan@list.test' }] };
    for (const path of [`${users}/.search`, '/scim/v2/.search'])
      expect((await idp.post(path, asked)).body).toMatchObject(wanted);
  });
});

describe('patch', () => {
  const work = { value: 'w@PATCH', type: 'work', primary: true };
  const home = { value: 'h@PATCH', type: 'home' };
  /** Once another email is the primary one. */
  const second = { ...work, primary: false };
  const person = { department: 'bi', emails: [work, home] };
  const add = (path: string, value: unknown) => ({ op: 'add', path, value });
  const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
  const remove = (path: string) => ({ op: 'remove', path });
  let count = 0;
  const patched = async (operations: unknown[], more: object = person) => {
    count += 1;
    const mine = JSON.parse(JSON.stringify(more).replaceAll('PATCH', `patch${count}.test`));
    const { id } = await create(`p${count}@patch.test`, mine);
    const sent = JSON.parse(JSON.stringify(operations).replaceAll('PATCH', `patch${count}.test`));
    const { status, body } = await idp.patch(`${users}/${id}`, sent);
    expect(body).toMatchObject({ userName: expect.any(String) });
    return JSON.parse(JSON.stringify({ status, ...body }).replaceAll(`patch${count}.test`, 'PATCH'));
  };

  it.each<[string, unknown[], object]>([
    ['a value', [replace('displayName', 'A')], { displayName: 'A' }],
    [
      'in capitals, a boolean as a text',
      [{ op: 'Replace', path: 'active', value: 'False' }],
      { active: false },
    ],
    [
      'an object without a path',
      [{ op: 'replace', value: { active: false, displayName: 'B' } }],
      { active: false, displayName: 'B' },
    ],
    [
      'dotted names without a path',
      [{ op: 'Add', value: { 'name.givenName': 'C', displayName: 'D' } }],
      { name: { givenName: 'C', familyName: 'Lovelace' }, displayName: 'D' },
    ],
    ['an attribute under its schema', [add(`${core}:displayName`, 'E')], { displayName: 'E' }],
    ['a part', [replace('NAME.FamilyName', 'F')], { name: { givenName: 'Ada', familyName: 'F' } }],
    [
      'parts, the others stay',
      [add('name', { formatted: 'A L' })],
      { name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'A L' } },
    ],
    [
      'the value of one in a list',
      [replace('emails[type eq "work"].value', 'n@PATCH')],
      { emails: [{ ...work, value: 'n@PATCH' }, home] },
    ],
    [
      'the value of one that is not there yet',
      [{ op: 'Add', path: 'emails[type eq "other"].value', value: 'o@PATCH' }],
      { emails: [work, home, { value: 'o@PATCH', type: 'other' }] },
    ],
    [
      'a whole one in a list',
      [replace('emails[type eq "home"]', { value: 'x@PATCH', primary: true })],
      { emails: [second, { value: 'x@PATCH', type: 'home', primary: true }] },
    ],
    [
      'one more in a list',
      [add('emails', [{ value: 'y@PATCH', primary: true }])],
      { emails: [second, home, { value: 'y@PATCH', primary: true }] },
    ],
    ['the same once more, which is none', [add('emails', home)], { emails: [work, home] }],
    ['the whole list', [replace('emails', [{ value: 'z@PATCH' }])], { emails: [{ value: 'z@PATCH' }] }],
    ['a removal by filter', [remove('emails[type eq "home"]')], { emails: [work] }],
    [
      'a removal by value',
      [{ op: 'Remove', path: 'emails', value: [{ value: 'w@PATCH' }] }],
      { emails: [home] },
    ],
    [
      'a removal of a part of one',
      [remove('emails[type eq "work"].primary')],
      { emails: [{ value: 'w@PATCH', type: 'work' }, home] },
    ],
    ['a removal of all', [remove('emails')], { emails: undefined }],
    ['a removal of a value', [remove('department')], { department: undefined }],
    ['a removal of what is not there', [remove('displayName')], { displayName: undefined }],
    ['nothing in the place of something', [replace('department', null)], { department: undefined }],
    [
      'the extension',
      [add(`${extension}:department`, 'pm')],
      { department: 'pm', [extension]: expect.objectContaining({ department: 'pm' }) },
    ],
    [
      'the extension as an object',
      [{ op: 'add', value: { [extension]: { department: 'pm' } } }],
      { department: 'pm', schemas: [core, extension] },
    ],
    [
      'one after the other',
      [remove('emails'), add('emails[type eq "work"].value', 'q@PATCH')],
      { emails: [{ value: 'q@PATCH', type: 'work' }] },
    ],
    [
      'what is foreign to us, which changes nothing',
      [
        { op: 'Replace', path: 'title', value: 'Dr' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
        {
          op: 'Add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'Sales',
        },
      ],
      { department: 'bi', meta: expect.objectContaining({ version: 'W/"1"' }) },
    ],
    [
      'what is only for reading, without a path',
      [{ op: 'replace', value: { id: 'x', meta: {}, schemas: [], displayName: 'G' } }],
      { displayName: 'G' },
    ],
    [
      'a permission of one workspace',
      [add('permissions.appGroup[appGroupName eq "Shop"].appGroupPermissions', ['admin'])],
      {
        permissions: {
          appGroup: [expect.objectContaining({ appGroupName: 'Shop', appGroupPermissions: ['admin'] })],
        },
      },
    ],
    [
      'a workspace that the user does not have yet',
      [
        add(
          'permissions.appGroup[appGroupName eq "Blog"].team[teamName eq "Editors"].teamPermissions',
          'basic_access',
        ),
      ],
      {
        permissions: {
          appGroup: [
            expect.objectContaining({ appGroupName: 'Shop' }),
            expect.objectContaining({
              appGroupName: 'Blog',
              team: [expect.objectContaining({ teamName: 'Editors', teamPermissions: ['basic_access'] })],
            }),
          ],
        },
      },
    ],
    [
      'a role',
      [add('permissions.roles', [{ roleName: 'Owner' }])],
      { permissions: expect.objectContaining({ roles: [{ roleName: 'Owner', roleId: acme.roles[1]?.id }] }) },
    ],
  ])('sets %s', async (_title, operations, wanted) => {
    const after = await patched(operations);
    for (const [name, value] of Object.entries(wanted)) expect([name, after[name]]).toEqual([name, value]);
  });

  it('is all or nothing', async () => {
    const { id } = await create('atomic@acme.test');
    const operations = [replace('displayName', 'half'), replace('department', 'nowhere')];
    expect((await idp.patch(`${users}/${id}`, operations)).status).toBe(400);
    expect((await idp.get(`${users}/${id}`)).body.displayName).toBeUndefined();
  });

  it('reactivates no deactivated user, nor by leaving `active` out of a PUT', async () => {
    const { id } = await create('unset@acme.test');
    const { body } = await idp.patch(`${users}/${id}`, [remove('active')]);
    expect(body.active).toBeUndefined();
    expect((await store.dashboard.users.findOne({ _id: id }))?.active).toBe(false);
    await idp.put(`${users}/${id}`, aUser('unset@acme.test'));
    expect((await store.dashboard.users.findOne({ _id: id }))?.active).toBe(false);
  });

  it('ends the sessions of a user who is deactivated or deleted', async () => {
    for (const end of ['patch', 'delete']) {
      const { id } = await create(`session-${end}@acme.test`);
      const expires = new Date(Date.now() + 1e6);
      await store.dashboard.sessions.insertOne({ _id: `s-${id}`, user: id, expires });
      if (end === 'delete') await idp.delete(`${users}/${id}`);
      else await idp.patch(`${users}/${id}`, [{ op: 'replace', value: { active: false } }]);
      expect(await store.dashboard.sessions.countDocuments({ user: id })).toBe(0);
    }
  });
});

describe('the audit log', () => {
  it('has each change with its author, without personal data, in one chain', async () => {
    const { id } = await create('audit@acme.test', { department: 'pm' });
    await idp.patch(`${users}/${id}`, [{ op: 'replace', value: { active: false, displayName: 'Marker' } }]);
    await idp.patch(`${users}/${id}`, [{ op: 'replace', value: { active: true } }]);
    await idp.delete(`${users}/${id}`);
    const rows = await store.audit.list({ target: id });
    const changes = ['created', 'deactivated', 'reactivated', 'deleted'];
    expect(rows.map(({ what }) => what)).toEqual(changes.map((change) => `user.${change}`));
    expect(rows[1]).toMatchObject({
      by: 'scim:token1',
      company: 'acme',
      fields: ['displayName', 'active'].sort(),
      set: { active: false },
    });
    expect(JSON.stringify(rows)).not.toMatch(/Marker|audit@|Lovelace/);
    expect((await store.audit.verify()).broken).toBeUndefined();
  });
});
