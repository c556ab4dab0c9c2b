/** The attributes of a dashboard user. The names that a company has made are the known values of its permissions. */
import {
  appPermissions,
  type CompanySettings,
  companyPermissions,
  departments,
  teamPermissions,
} from '@roster/access';
import { limits } from '../limits.ts';
import type { Attribute } from './attribute.ts';

const string = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
});
const complex = (
  name: string,
  description: string,
  more: Partial<Attribute>,
  sub: Attribute[],
): Attribute => ({ name, type: 'complex', description, sub, ...more });

const many = { many: true } as const;
const readOnly = { readOnly: true } as const;
const exact = { caseExact: true } as const;

/** A text that is one of these. */
const known = (name: string, description: string, values: readonly string[]): Attribute =>
  string(name, description, { ...exact, values });

const someOf = (name: string, description: string, values: readonly string[]): Attribute =>
  string(name, description, { ...many, ...exact, values });

const names = (things: readonly { name: string }[]): string[] => [...new Set(things.map(({ name }) => name))];
const ids = (things: readonly { id: string }[]): string[] => [...new Set(things.map(({ id }) => id))];

const roles = (company: CompanySettings): Attribute =>
  complex('roles', 'Roles of the user.', many, [
    known('roleName', 'Name of the role.', names(company.roles)),
    known('roleId', 'Id of the role; counts where the name is missing.', ids(company.roles)),
    string('appGroup', 'Name of the workspace for which the role is.', readOnly),
  ]);

const permissionSets = ({ permission_sets }: CompanySettings): Attribute =>
  complex('appGroupPermissionSets', 'Permission sets that the user has in the workspace.', many, [
    known('appGroupPermissionSetName', 'Name of the set.', names(permission_sets)),
    known(
      'appGroupPermissionSetId',
      'Id of the set; counts where the name is missing.',
      ids(permission_sets),
    ),
    string('permissions', 'What the set allows.', { ...many, ...readOnly }),
  ]);

const teams = (company: CompanySettings): Attribute => {
  const all = company.workspaces.flatMap((workspace) => workspace.teams);
  return complex('team', 'Teams of the workspace to which the user belongs.', many, [
    known('teamId', 'Id of the team; counts where the name is missing.', ids(all)),
    known('teamName', 'Name of the team.', names(all)),
    someOf('teamPermissions', 'What the user may do in the team.', teamPermissions),
  ]);
};

/** An element of `permissions.appGroup`. */
export const workspaceAttributes = (company: CompanySettings): Attribute[] => [
  known('appGroupId', 'Id of the workspace; counts where the name is missing.', ids(company.workspaces)),
  known('appGroupName', 'Name of the workspace.', names(company.workspaces)),
  someOf('appGroupPermissions', 'What the user may do in the workspace.', appPermissions),
  permissionSets(company),
  teams(company),
];

const appGroup = (company: CompanySettings): Attribute =>
  complex(
    'appGroup',
    'Workspaces of the user; permission sets and teams in them are described by a schema of their own, RosterWorkspace.',
    many,
    workspaceAttributes(company),
  );

/** What Roster adds to the user of RFC 7643: beside the others, and once more in an extension. */
export const ownAttributes = (company: CompanySettings): Attribute[] => [
  known('department', 'Department of the user.', departments),
  complex('permissions', 'What the user may do.', {}, [
    someOf('companyPermissions', 'What the user may do in the company.', companyPermissions),
    roles(company),
    appGroup(company),
  ]),
];

const name = complex('name', 'Name of the user.', { required: true }, [
  string('formatted', 'The whole name, to be shown.'),
  string('familyName', 'Family name.', { required: true }),
  string('givenName', 'Given name.', { required: true }),
]);

const emails = complex(
  'emails',
  `Addresses of the user, ${limits.emails} at most. No two users share one.`,
  { ...many, most: 'emails' },
  [
    string('value', 'The email.'),
    string('type', 'Kind of email.', { values: ['work', 'home', 'other'] }),
    { name: 'primary', type: 'boolean', description: 'Whether it is the main email; one is at most.' },
  ],
);

/** Of every resource, and so of no schema: RFC 7643 3.1. */
const common: Attribute[] = [
  string('schemas', 'Schemas of the resource.', { ...many, ...readOnly, ...exact, always: true }),
  string('id', 'Id that Roster gave the user.', { ...readOnly, ...exact, always: true }),
  string('externalId', 'Id of the user at the identity provider.', exact),
  complex('meta', 'About the resource.', readOnly, [
    string('resourceType', 'User.', { ...readOnly, ...exact }),
    { name: 'created', type: 'dateTime', description: 'When it was created.', ...readOnly },
    { name: 'lastModified', type: 'dateTime', description: 'When it was last changed.', ...readOnly },
    { name: 'location', type: 'reference', description: 'Its URL.', ...readOnly, ...exact },
    string('version', 'Its version.', { ...readOnly, ...exact }),
  ]),
];

/** Those of the core schema as it is served. */
export const coreAttributes = (company: CompanySettings): Attribute[] => [
  string(
    'userName',
    'The email with which the user signs in; unique in any letter case. A PUT cannot change it, a PATCH can. The canonical value shows the form.',
    { required: true, unique: true, values: ['ada@example.com'] },
  ),
  name,
  string('displayName', 'Name to be shown.'),
  { name: 'active', type: 'boolean', description: 'Whether the user may sign in; not when removed.' },
  emails,
  ...ownAttributes(company),
  string('lastSignInAt', 'When the user last signed in, in UTC; N/A when never.', readOnly),
];

/** Everything that can be read of a user, by its name. */
export const userAttributes = (company: CompanySettings): Attribute[] => [
  ...common,
  ...coreAttributes(company),
];
