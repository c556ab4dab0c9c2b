/** From names (or ids) that a provisioner sends to what the company has: api.md, dashboard user. What there is not is refused by its name. */
import { type CompanySettings, isAppPermission, isCompanyPermission, isTeamPermission } from '@roster/access';
import type { DashboardPermissions } from '@roster/store';
import { isResource, listAt, type Resource, textAt } from '../attributes/attribute.ts';
import { badValue } from '../refusals.ts';
import { byId, byName, type Thing } from './by-name.ts';

type Workspace = CompanySettings['workspaces'][number];
type WorkspacePermissions = DashboardPermissions['workspaces'][number];

const resourcesAt = (from: Resource, name: string): Resource[] => listAt(from, name).filter(isResource);

const allowed = (from: Resource, member: string, isKnown: (text: string) => boolean): string[] => {
  const texts = listAt(from, member).map(String);
  const unknown = texts.find((text) => !isKnown(text));
  if (unknown !== undefined) throw badValue(`${member}: there is no permission '${unknown}'`);
  return [...new Set(texts)];
};

interface WantedName {
  what: string;
  nameIn: string;
  idIn: string;
}

/** By its name; by its id only where there is no name. */
const found = <Known extends Thing>(from: Resource, known: readonly Known[], wanted: WantedName): Known => {
  const { what, nameIn, idIn } = wanted;
  const [name, id] = [textAt(from, nameIn), textAt(from, idIn)];
  if (name === undefined && id === undefined) throw badValue(`a ${what} needs ${nameIn} or ${idIn}`);
  const thing = name === undefined ? byId(known).get(id ?? '') : byName(known).get(name);
  if (!thing) throw badValue(`there is no ${what} '${name ?? id}'`);
  return thing;
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

const union = (some: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...some, ...more]),
];

/** A thing that is named twice is there once, with all that was said of it. */
const merged = <Item extends { id: string }>(
  items: readonly Item[],
  join: (one: Item, other: Item) => Item,
): Item[] => {
  const byId = new Map<string, Item>();
  for (const item of items) {
    const known = byId.get(item.id);
    byId.set(item.id, known ? join(known, item) : item);
  }
  return [...byId.values()];
};

type StoredTeam = WorkspacePermissions['teams'][number];

const joinTeams = (one: StoredTeam, other: StoredTeam): StoredTeam => ({
  id: one.id,
  permissions: union(one.permissions, other.permissions),
});

const joinWorkspaces = (one: WorkspacePermissions, other: WorkspacePermissions): WorkspacePermissions => ({
  id: one.id,
  permissions: union(one.permissions, other.permissions),
  sets: union(one.sets, other.sets),
  teams: merged([...one.teams, ...other.teams], joinTeams),
});

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

const storedWorkspace = (from: Resource, company: CompanySettings): WorkspacePermissions => {
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
