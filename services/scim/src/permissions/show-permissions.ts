/** What is kept, with the names that things have today; what the company no longer has is not shown. */
import type { CompanySettings } from '@roster/access';
import type { DashboardPermissions } from '@roster/store';
import type { Resource } from '../attributes/attribute.ts';
import { byId } from './by-name.ts';

const known = <Thing extends { id: string }>(ids: readonly string[], things: readonly Thing[]): Thing[] =>
  ids.map((id) => byId(things).get(id)).filter((thing) => thing !== undefined);

/** An empty list is no value. */
const filled = <Item>(name: string, items: readonly Item[]): Record<string, Item[]> =>
  items.length > 0 ? { [name]: [...items] } : {};

const rolesOf = (ids: readonly string[], { roles }: CompanySettings): Resource[] =>
  known(ids, roles).map(({ id, name, workspace }) => ({
    roleName: name,
    roleId: id,
    ...(workspace !== undefined && { appGroup: workspace }),
  }));

const setsOf = (ids: readonly string[], { permission_sets }: CompanySettings): Resource[] =>
  known(ids, permission_sets).map(({ id, name, permissions }) => ({
    appGroupPermissionSetName: name,
    appGroupPermissionSetId: id,
    ...filled('permissions', permissions),
  }));

const appGroupOf = (
  stored: DashboardPermissions['workspaces'][number],
  company: CompanySettings,
): Resource[] =>
  known([stored.id], company.workspaces).map(({ id, name, teams }) => ({
    appGroupId: id,
    appGroupName: name,
    ...filled('appGroupPermissions', stored.permissions),
    ...filled('appGroupPermissionSets', setsOf(stored.sets, company)),
    ...filled(
      'team',
      stored.teams.flatMap((team) =>
        known([team.id], teams).map(
          (thing): Resource => ({
            teamId: thing.id,
            teamName: thing.name,
            ...filled('teamPermissions', team.permissions),
          }),
        ),
      ),
    ),
  }));

export const showPermissions = (stored: DashboardPermissions, company: CompanySettings): Resource => ({
  ...filled('companyPermissions', stored.company),
  ...filled('roles', rolesOf(stored.roles, company)),
  ...filled(
    'appGroup',
    stored.workspaces.flatMap((workspace) => appGroupOf(workspace, company)),
  ),
});
