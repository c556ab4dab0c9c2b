/** From names (or ids) that a provisioner sends to things of the company: api.md, dashboard user. An unknown name is refused. */
import { type CompanySettings, isAppPermission, isCompanyPermission, isTeamPermission } from '@roster/access';
import type { DashboardPermissions } from '@roster/store';
import type { Resource } from '../attributes/attribute.ts';
import { badValue } from '../refusals.ts';
import { found, listAt, resourcesAt, type Workspace } from './found.ts';
import { joinTeams, joinWorkspaces, merged, type StoredTeam, type StoredWorkspace, union } from './joined.ts';

const allowed = (from: Resource, member: string, isKnown: (text: string) => boolean): string[] => {
  const texts = listAt(from, member).map(String);
  const unknown = texts.find((text) => !isKnown(text));
  if (unknown !== undefined) throw badValue(`${member}: there is no permission '${unknown}'`);
  return [...new Set(texts)];
};

const workspaceOf = (from: Resource, company: CompanySettings): Workspace => {
  const isNamed = from.appGroupName !== undefined || from.appGroupId !== undefined;
  const usual = isNamed ? undefined : defaultWorkspace(company);
  if (usual) return usual;
  return found(from, company.workspaces, {
    what: 'workspace',
    nameIn: 'appGroupName',
    idIn: 'appGroupId',
  });
};

const defaultWorkspace = ({ workspaces, default_workspace }: CompanySettings): Workspace | undefined =>
  workspaces.find(({ name }) => name === default_workspace) ?? workspaces[0];

const teamsOf = (from: Resource, workspace: Workspace): StoredTeam[] =>
  resourcesAt(from, 'team').map((team) => ({
    id: found(team, workspace.teams, {
      what: `team of the workspace ${workspace.name}`,
      nameIn: 'teamName',
      idIn: 'teamId',
    }).id,
    permissions: allowed(team, 'teamPermissions', isTeamPermission),
  }));

const setsOf = (from: Resource, { permission_sets }: CompanySettings): string[] =>
  resourcesAt(from, 'appGroupPermissionSets').map(
    (set) =>
      found(set, permission_sets, {
        what: 'permission set',
        nameIn: 'appGroupPermissionSetName',
        idIn: 'appGroupPermissionSetId',
      }).id,
  );

const storedWorkspace = (from: Resource, company: CompanySettings): StoredWorkspace => {
  const workspace = workspaceOf(from, company);
  return {
    id: workspace.id,
    permissions: allowed(from, 'appGroupPermissions', isAppPermission),
    sets: union(setsOf(from, company), []),
    teams: merged(teamsOf(from, workspace), joinTeams),
  };
};

const rolesOf = (from: Resource, { roles }: CompanySettings): string[] =>
  resourcesAt(from, 'roles').map(
    (role) => found(role, roles, { what: 'role', nameIn: 'roleName', idIn: 'roleId' }).id,
  );

export const resolvePermissions = (given: Resource, company: CompanySettings): DashboardPermissions => ({
  company: allowed(given, 'companyPermissions', isCompanyPermission),
  roles: union(rolesOf(given, company), []),
  workspaces: merged(
    resourcesAt(given, 'appGroup').map((group) => storedWorkspace(group, company)),
    joinWorkspaces,
  ),
});

/** The default workspace, and no permission in it. */
export const defaultPermissions = (company: CompanySettings): DashboardPermissions => {
  const workspace = defaultWorkspace(company);
  const workspaces = workspace ? [{ id: workspace.id, permissions: [], sets: [], teams: [] }] : [];
  return { company: [], roles: [], workspaces };
};
