/** The mistakes of a provisioner, or of an attacker who plays one: each with its SCIM error, and nothing stored. */
import { inLongRuns } from '@roster/testkit';
import { acme, aUser, patchOp, type ScimRequest, useProvisioner, users } from './testbed.ts';

const unparsable = 'Request is unparsable, syntactically incorrect, or violates schema.';
const searchRequest = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

type Row = [title: string, sent: ScimRequest, scimType: string, detail?: string];

const filters = [
  'userName pr constructor active pr',
  'userName pr __proto__ active pr',
  '',
  ' ',
  'userName',
  'userName eq',
  'userName eq ',
  'eq "a"',
  '"a"',
  'userName "a"',
  'userName eq a',
  "userName eq 'a'",
  'userName eq "a',
  'userName eq a"',
  'userName eq "a" "b"',
  'userName eq ""a"',
  'userName eq "a\\"',
  'userName == "a"',
  'userName = "a"',
  'userName like "a"',
  'userName eq "a" and',
  'userName eq "a" or',
  'and userName eq "a"',
  'userName eq "a" userName eq "b"',
  'userName eq "a" xor userName eq "b"',
  'userName eq "a" and or userName eq "b"',
  'not',
  'not (',
  'not ()',
  '(',
  ')',
  '()',
  '(userName eq "a"',
  'userName eq "a")',
  '((userName eq "a")',
  '[userName eq "a"]',
  'emails[',
  'emails[]',
  'emails[type eq "work"',
  'emails[type eq "work")',
  'emails type eq "work"]',
  'emails[nothing eq "work"]',
  'emails[type eq "work" and]',
  'userName[value eq "a"]',
  'name[givenName eq 5]',
  `${'('.repeat(25)}userName eq "a"${')'.repeat(25)}`,
  `${'('.repeat(1000)}userName eq "a"${')'.repeat(1000)}`,
  '('.repeat(4000),
  'nothing eq "a"',
  'nothing pr',
  'user.name eq "a"',
  'userName.length eq 5',
  'name.middle eq "a"',
  'password eq "a"',
  '__proto__ eq "a"',
  'constructor.name eq "a"',
  'toString pr',
  '$where eq "1"',
  'userName eq {"$ne":null}',
  'userName eq ["a"]',
  'userName eq 5',
  'userName gt 5',
  'userName eq true',
  'active eq "perhaps"',
  'active gt true',
  'active co "t"',
  'active eq 1',
  'active eq TRUEISH',
  'name eq "a"',
  'permissions eq "a"',
  'emails[type eq "work"] eq',
  'meta.created gt "yesterday"',
  'meta.created co "2020"',
  'meta.created eq 5',
  'userName gt null',
  'userName pr "a"',
  'urn:ietf:params:scim:schemas:core:2.0:Group:displayName eq "a"',
  'urn:ietf:params:scim:schemas:core:2.0:User eq "a"',
  'userName eq "a"; drop',
  'userName eq "a" -- x',
  'userName\u0000 eq "a"',
];

const filterRows = filters.map(
  (filter): Row => [
    `the filter ${JSON.stringify(filter.slice(0, 60))}`,
    { method: 'GET', path: `${users}?filter=${encodeURIComponent(filter)}` },
    'invalidFilter',
    unparsable,
  ],
);

const listRows: Row[] = [
  'count=99999999999',
  'count=4294967296',
  'count=ten',
  'count=1e3',
  'count=',
  'count=1.5',
  'count=0x10',
  'startIndex=99999999999',
  'startIndex=-9999999999',
  'startIndex=first',
  'startIndex=%00',
  'sortBy=nothing',
  'sortBy=__proto__',
  'sortBy=userName&sortOrder=sideways',
  `filter=${'a'.repeat(5000)}`,
].map((query) => [
  `the list ?${query.slice(0, 40)}`,
  { method: 'GET', path: `${users}?${query}` },
  'invalidValue',
]);

const posted = (title: string, body: unknown, scimType = 'invalidValue'): Row => [
  title,
  { method: 'POST', path: users, body },
  scimType,
];
/** With what is wrong in words. */
const told = (title: string, body: unknown, detail: string): Row => [
  title,
  { method: 'POST', path: users, body },
  'invalidValue',
  detail,
];
const bad = (more: object) => aUser('bad@acme.test', more);
const allowed = (permissions: unknown) => bad({ permissions });

const createRows: Row[] = [
  posted('a list for a user', [], 'invalidSyntax'),
  posted('a text for a user', 'user', 'invalidSyntax'),
  posted('nothing for a user', null, 'invalidSyntax'),
  posted('an empty user', {}, 'invalidSyntax'),
  posted('a user without schemas', { userName: 'bad@acme.test', name: { givenName: 'A' } }, 'invalidSyntax'),
  posted('another schema', { ...bad({}), schemas: [patchOp] }, 'invalidSyntax'),
  posted('schemas as a text', { ...bad({}), schemas: 'urn:ietf:params:scim:schemas:core:2.0:User' }),
  posted('schemas of numbers', { ...bad({}), schemas: [1] }),
  told('a user without a userName', { ...bad({}), userName: undefined }, 'userName is required'),
  told('an empty userName', bad({ userName: '' }), 'userName is required'),
  told('a blank userName', bad({ userName: '   ' }), 'userName is required'),
  posted('a number for a userName', bad({ userName: 5 })),
  posted('an object for a userName', bad({ userName: { $ne: null } })),
  posted('a userName of 300 letters', bad({ userName: 'a'.repeat(300) })),
  posted('a userName with half a letter', bad({ userName: 'a\ud800' })),
  posted('a userName with a NUL', bad({ userName: 'a\u0000b' })),
  told('a user without a name', { ...bad({}), name: undefined }, 'name is required'),
  posted('a text for a name', bad({ name: 'Ada' })),
  posted('a list for a name', bad({ name: ['Ada'] })),
  told('a number for a given name', bad({ name: { givenName: 5 } }), 'name.givenName must be a string'),
  told('a perhaps for active', bad({ active: 'perhaps' }), 'active must be true or false'),
  posted('a number for active', bad({ active: 1 })),
  posted('a text for emails', bad({ emails: 'a@b.co' })),
  told('texts for emails', bad({ emails: ['a@b.co'] }), 'emails[0] must be an object'),
  posted('an email without a value', bad({ emails: [{ type: 'work' }] })),
  told(
    'an email that is none',
    bad({ emails: [{ value: 'nobody' }] }),
    'emails[0].value must be an email address',
  ),
  posted('a perhaps for primary', bad({ emails: [{ value: 'a@b.co', primary: 'perhaps' }] })),
  posted('a display name without an end', bad({ displayName: 'a'.repeat(5000) })),
  posted('a number for an external id', bad({ externalId: 7 })),
  told('an unknown department', bad({ department: 'cellar' }), "there is no department 'cellar'"),
  posted('a department in capitals', bad({ department: 'FINANCE' })),
  posted('a list for permissions', allowed([])),
  posted('a text for permissions', allowed('admin')),
  told(
    'an unknown permission in the company',
    allowed({ companyPermissions: ['fly'] }),
    "companyPermissions: there is no permission 'fly'",
  ),
  posted('a permission of workspaces for the company', allowed({ companyPermissions: ['view_pii'] })),
  posted('a number for a permission', allowed({ companyPermissions: [5] })),
  told('an unknown role', allowed({ roles: [{ roleName: 'King' }] }), "there is no role 'King'"),
  told('an unknown role id', allowed({ roles: [{ roleId: 'x' }] }), "there is no role 'x'"),
  posted('a role without a name', allowed({ roles: [{ appGroup: 'Shop' }] })),
  posted('texts for roles', allowed({ roles: ['Owner'] })),
  told(
    'an unknown workspace',
    allowed({ appGroup: [{ appGroupName: 'Moon' }] }),
    "there is no workspace 'Moon'",
  ),
  posted(
    'a known id under an unknown name',
    allowed({ appGroup: [{ appGroupName: 'Moon', appGroupId: acme.workspaces[0]?.id }] }),
  ),
  posted(
    'an unknown permission in a workspace',
    allowed({ appGroup: [{ appGroupName: 'Shop', appGroupPermissions: ['fly'] }] }),
  ),
  told(
    'a team of another workspace',
    allowed({ appGroup: [{ appGroupName: 'Shop', team: [{ teamName: 'Editors' }] }] }),
    "there is no team of the workspace Shop 'Editors'",
  ),
  posted(
    'an unknown permission in a team',
    allowed({
      appGroup: [{ appGroupName: 'Shop', team: [{ teamName: 'Europe', teamPermissions: ['view_pii'] }] }],
    }),
  ),
  told(
    'an unknown permission set',
    allowed({
      appGroup: [{ appGroupName: 'Shop', appGroupPermissionSets: [{ appGroupPermissionSetName: 'All' }] }],
    }),
    "there is no permission set 'All'",
  ),
];

const change = (title: string, body: unknown, scimType: string): Row => [
  title,
  { method: 'PATCH', path: `${users}/ID`, body },
  scimType,
];
const replaced = (path: unknown, value: unknown) => ({ op: 'replace', path, value });
const op = (title: string, operation: unknown, scimType: string): Row =>
  change(title, { schemas: [patchOp], Operations: [operation] }, scimType);
const path = (text: unknown, scimType = 'invalidPath'): Row =>
  op(`the path ${JSON.stringify(text).slice(0, 60)}`, replaced(text, 'a'), scimType);

const patchRows: Row[] = [
  change('a patch without schemas', { Operations: [{ op: 'remove', path: 'department' }] }, 'invalidSyntax'),
  change('a patch that is a user', aUser('x@acme.test'), 'invalidSyntax'),
  change('a patch without operations', { schemas: [patchOp] }, 'invalidSyntax'),
  change('a patch of no operation', { schemas: [patchOp], Operations: [] }, 'invalidSyntax'),
  change('an object for operations', { schemas: [patchOp], Operations: {} }, 'invalidValue'),
  change('a list for a patch', [], 'invalidSyntax'),
  op('a text for an operation', 'remove', 'invalidValue'),
  op('an operation without op', { path: 'department', value: 'pm' }, 'invalidSyntax'),
  op('an unknown op', { op: 'move', path: 'department' }, 'invalidSyntax'),
  op('a number for op', { op: 5, path: 'department' }, 'invalidValue'),
  op('a removal without a path', { op: 'remove' }, 'noTarget'),
  op('a removal with an empty path', { op: 'remove', path: '' }, 'noTarget'),
  op('an addition without a value', { op: 'add', path: 'department' }, 'invalidValue'),
  op('a replacement without a path by a text', { op: 'replace', value: 'a' }, 'invalidValue'),
  op('a replacement without a path by a list', { op: 'replace', value: [{ active: false }] }, 'invalidValue'),
  path('nothing'),
  path('name.nothing'),
  path('name.givenName.first'),
  path('userName.x'),
  path('.'),
  path('name.'),
  path('.name'),
  path('name..givenName'),
  path('emails['),
  path('emails[type eq "work"'),
  path('emails[type eq "work"]x'),
  path('emails[type eq "work"].nothing'),
  path('name[givenName eq "a"]'),
  path('userName[value eq "a"]'),
  path('__proto__'),
  path('__proto__.polluted'),
  path('constructor.prototype.polluted'),
  path('$set'),
  path('urn:ietf:params:scim:schemas:core:2.0:Group:displayName'),
  path('urn:ietf:params:scim:schemas:core:2.0:User:nothing'),
  path('urn:ietf:params:scim:schemas:core:2.0:User'),
  path('emails[]', 'invalidFilter'),
  path('emails[type]', 'invalidFilter'),
  path('emails[type eq]', 'invalidFilter'),
  path('emails[nothing eq "a"]', 'invalidFilter'),
  path(`emails[${'('.repeat(100)}type eq "a"${')'.repeat(100)}].value`, 'invalidFilter'),
  path('emails[type ne "work"].value', 'noTarget'),
  path('emails[type eq "a" or type eq "b"].value', 'noTarget'),
  path('id', 'mutability'),
  path('meta.version', 'mutability'),
  path('lastSignInAt', 'mutability'),
  path('schemas', 'mutability'),
  path(5, 'invalidValue'),
  op('the removal of userName', { op: 'remove', path: 'userName' }, 'mutability'),
  op('the removal of name', { op: 'remove', path: 'name' }, 'mutability'),
  op('nothing for userName', replaced('userName', null), 'mutability'),
  op('a number for userName', replaced('userName', 5), 'invalidValue'),
  op('a perhaps for active', replaced('active', 'perhaps'), 'invalidValue'),
  op('a text for name', replaced('name', 'Ada'), 'invalidValue'),
  op('an email that is none', { op: 'add', path: 'emails', value: [{ value: 'nobody' }] }, 'invalidValue'),
  op('an unknown department', replaced('department', 'cellar'), 'invalidValue'),
  op(
    'an unknown workspace',
    { op: 'add', path: 'permissions.appGroup[appGroupName eq "Moon"].appGroupPermissions', value: ['admin'] },
    'invalidValue',
  ),
  op('the userName of another user', replaced('userName', 'OTHER@acme.test'), 'uniqueness'),
];

const searched = (title: string, more: object, scimType: string): Row => [
  title,
  { method: 'POST', path: `${users}/.search`, body: { schemas: [searchRequest], ...more } },
  scimType,
];
const searchRows: Row[] = [
  searched('a search for nothing', { filter: 'userName eq' }, 'invalidFilter'),
  searched('a search of half a count', { count: 1.5 }, 'invalidValue'),
  searched('a search of too much', { count: 1e15 }, 'invalidValue'),
  searched('a search in a number', { filter: 5 }, 'invalidValue'),
  searched('a search that is none', { schemas: [patchOp] }, 'invalidSyntax'),
];

const rows = [...filterRows, ...listRows, ...createRows, ...patchRows, ...searchRows];

describe('a bad request', () => {
  const { store, idp } = useProvisioner();
  let id = '';
  let before: unknown;

  const everything = async () => [
    await store.dashboard.users.find().sort({ _id: 1 }).toArray(),
    await store.dashboard.claims.find().sort({ _id: 1 }).toArray(),
    await store.audit.list(),
  ];

  beforeAll(async () => {
    id = (
      await idp.post(users, aUser('good@acme.test', { emails: [{ value: 'good@acme.test', type: 'work' }] }))
    ).body.id;
    await idp.post(users, aUser('other@acme.test'));
    before = await everything();
  });

  it('is there in 150 forms at least', () => {
    expect(rows.length).toBeGreaterThanOrEqual(150);
  });

  const named = rows.map(([title, sent, scimType, detail]) => [title, { sent, scimType, detail }] as const);

  it.each(named)('is refused: %s', async (_title, { sent, scimType, detail }) => {
    const started = performance.now();
    const got = await idp.ask({ ...sent, path: sent.path.replace('ID', id) });
    const status = scimType === 'uniqueness' ? 409 : 400;
    expect(got.status).toBe(status);
    expect(got.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      detail: detail ?? expect.any(String),
      status,
      scimType,
    });
    inLongRuns(() => expect(performance.now() - started).toBeLessThan(2000));
  });

  it('has stored nothing, and changed no prototype', async () => {
    expect(await everything()).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
