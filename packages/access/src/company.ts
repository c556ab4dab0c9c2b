/** What a company is: the workspaces, teams, roles and permission sets that dashboard users are given. */
import { createHash } from 'node:crypto';
import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { isAppPermission, isTeamPermission } from './dashboard-permissions.ts';
import { closed, id as idOfThing, listOf, maybe, name, scopeId } from './schema-parts.ts';
import { checkedSettings, limits, repeated, repeatedIds, SettingsError } from './settings.ts';

const id = maybe(idOfThing('Made from the name unless it is given. Give it to rename a thing later.'));
const some = <Item extends ReturnType<typeof Type.Object>>(item: Item, description: string) =>
  listOf(item, description, { maxItems: 1000 });

/** With an id, and a name for people. */
const thing = <Members extends TProperties>(what: string, members: Members) =>
  closed({ id, name: name(`What people call the ${what}.`), ...members });

const AppGroup = thing('workspace', { teams: Type.Array(thing('team', {}), { default: [] }) });
const Role = thing('role', {
  workspace: maybe(name('Name of the workspace for which the role is, if it is for one.')),
});
const PermissionSet = thing('set', {
  permissions: listOf(Type.String({ minLength: 1 }), 'What the set allows.'),
});

const CompanySettingsSchema = closed({
  id: scopeId('Never changes.'),
  name: name('What people call it.'),
  workspaces: some(AppGroup, 'The workspaces that users may be given.'),
  default_workspace: maybe(
    name('Name of the workspace that a user gets when none is named; the first one unless said otherwise.'),
  ),
  roles: some(Role, 'Roles.'),
  permission_sets: some(PermissionSet, 'Permission sets.'),
  limits: limits('Rate limits that differ from the usual ones, by the name of their pool (`scim`).'),
});

type Given = Static<typeof CompanySettingsSchema>;
/** The same name gives the same id, today and in a year. */
const idOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);

const identified = <Thing extends { id?: string; name: string }>(
  things: readonly Thing[],
  ...of: [scope: string, kind: string]
) => things.map((one) => ({ ...one, id: one.id ?? idOf(...of, one.name) }));

const withIds = (given: Given) => ({
  ...given,
  workspaces: identified(given.workspaces, given.id, 'workspace').map((workspace) => ({
    ...workspace,
    teams: identified(workspace.teams, workspace.id, 'team'),
  })),
  roles: identified(given.roles, given.id, 'role'),
  permission_sets: identified(given.permission_sets, given.id, 'permission_set'),
});

export type CompanySettings = ReturnType<typeof withIds>;

const twiceIn = (place: string, things: readonly { id: string; name: string }[]): string[] => [
  ...repeated(things.map((thing) => thing.name)).map(
    (twice) => `${place} has the name ${twice} more than once`,
  ),
  ...repeatedIds(place, things),
];

const unknownPermissions = ({ permission_sets }: CompanySettings): string[] =>
  permission_sets.flatMap((set) =>
    set.permissions
      .filter((permission) => !isAppPermission(permission) && !isTeamPermission(permission))
      .map((permission) => `permission set ${set.name}: there is no permission ${permission}`),
  );

const unknownWorkspaces = ({ workspaces, roles, default_workspace }: CompanySettings): string[] => {
  const names = new Set(workspaces.map((workspace) => workspace.name));
  const named = [default_workspace, ...roles.map(({ workspace }) => workspace)];
  return named
    .filter((workspace) => workspace !== undefined && !names.has(workspace))
    .map((workspace) => `there is no workspace ${workspace} in the company`);
};

const problemsOf = (company: CompanySettings): string[] => [
  ...twiceIn('workspaces', company.workspaces),
  ...company.workspaces.flatMap(({ name: workspace, teams }) => twiceIn(`teams of ${workspace}`, teams)),
  ...twiceIn('roles', company.roles),
  ...twiceIn('permission_sets', company.permission_sets),
  ...unknownPermissions(company),
  ...unknownWorkspaces(company),
];

/** Fills in the defaults and the ids and checks everything at once; throws a SettingsError that names every wrong place. */
export const completeCompany = (input: unknown): CompanySettings => {
  const company = withIds(checkedSettings(CompanySettingsSchema, input));
  const problems = problemsOf(company);
  if (problems.length > 0) throw new SettingsError(problems);
  return company;
};

/** In queues and limits a company stands where a workspace would, and must not be taken for one. */
export const companyScope = (id: string): string => `company:${id}`;
export const companyIn = (scope: string): string => scope.replace(/^company:/, '');
