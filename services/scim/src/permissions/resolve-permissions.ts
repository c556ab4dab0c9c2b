/** From names (or ids) that a provisioner sends to what the company has: api.md, dashboard user. What there is not is refused by its name. */
import { type CompanySettings, isAppPermission, isCompanyPermission, isTeamPermission } from '@roster/access';
import type { DashboardPermissions } from '@roster/store';
import { isResource, listAt, type Resource, textAt } from '../attributes/attribute.ts';
import { badValue } from '../refusals.ts';
import { byId, byName, type Thing } from './by-name.ts';

type Workspace = CompanySettings['workspaces'][number];
type WorkspacePermissions = DashboardPermissions['workspaces'][number];

const once = (texts: readonly string[]): string[] => [...new Set(texts)];

const resourcesAt = (from: Resource, name: string): Resource[] => listAt(from, name).filter(isResource);

const allowed = (from: Resource, member: string, isKnown: (text: string) => boolean): string[] => {
  const texts = listAt(from, member).map(String);
  const unknown = texts.find((text) => !isKnown(text));
  if (unknown !== undefined) throw badValue(`${member}: there is no permission '${unknown}'`);
  return once(texts);
};

/** By its name; by its id only where there is no name. Their members begin with `kind`. */
const found = <Known extends Thing>(
  from: Resource,
  known: readonly Known[],
  kind: string,
  what: string,
): Known => {
  const [nameIn, idIn] = [`${kind}Name`, `${kind}Id`];
  const [name, id] = [textAt(from, nameIn), textAt(from, idIn)];
  if (name === undefined && id === undefined) throw badValue(`a ${what} needs ${nameIn} or ${idIn}`);
  const thing = name === undefined ? byId(known).get(id ?? '') : byName(known).get(name);
  if (!thing) throw badValue(`there is no ${what} '${name ?? id}'`);
  return thing;
};

/** The ids of all things in a list, each once. */
const idsIn = (list: readonly Resource[], ...of: [known: readonly Thing[], kind: string, what: string]) =>
  once(list.map((one) => found(one, ...of).id));

const workspaceOf = (from: Resource, company: CompanySettings): Workspace => {
  const isNamed = from.appGroupName !== undefined || from.appGroupId !== undefined;
  const usual = isNamed ? undefined : defaultWorkspace(company);
  return usual ?? found(from, company.workspaces, 'appGroup', 'workspace');
};

const defaultWorkspace = ({ workspaces, default_workspace }: CompanySettings): Workspace | undefined =>
  workspaces.find(({ name }) => name === default_workspace) ?? workspaces[0];

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
  permissions: once([...one.permissions, ...other.permissions]),
});

const joinWorkspaces = (one: WorkspacePermissions, other: WorkspacePermissions): WorkspacePermissions => ({
  id: one.id,
  permissions: once([...one.permissions, ...other.permissions]),
  sets: once([...one.sets, ...other.sets]),
  teams: merged([...one.teams, ...other.teams], joinTeams),
});

const teamsOf = (from: Resource, workspace: Workspace): StoredTeam[] =>
  resourcesAt(from, 'team').map((team) => ({
    id: found(team, workspace.teams, 'team', `team of the workspace ${workspace.name}`).id,
    permissions: allowed(team, 'teamPermissions', isTeamPermission),
  }));

const storedWorkspace = (from: Resource, company: CompanySettings): WorkspacePermissions => {
  const workspace = workspaceOf(from, company);
  const sets = resourcesAt(from, 'appGroupPermissionSets');
  return {
    id: workspace.id,
    permissions: allowed(from, 'appGroupPermissions', isAppPermission),
    sets: idsIn(sets, company.permission_sets, 'appGroupPermissionSet', 'permission set'),
    teams: merged(teamsOf(from, workspace), joinTeams),
  };
};

export const resolvePermissions = (given: Resource, company: CompanySettings): DashboardPermissions => ({
  company: allowed(given, 'companyPermissions', isCompanyPermission),
  roles: idsIn(resourcesAt(given, 'roles'), company.roles, 'role', 'role'),
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
