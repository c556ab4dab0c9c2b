/** The checks of company settings that a schema cannot express. */
import type { CompanySettings } from './company-schema.ts';
import { isAppPermission, isTeamPermission } from './dashboard-permissions.ts';
import { repeated } from './settings.ts';

type Named = { id: string; name: string };

const twiceIn = (place: string, things: readonly Named[]): string[] => [
  ...repeated(things.map((thing) => thing.name)).map(
    (twice) => `${place} has the name ${twice} more than once`,
  ),
  ...repeated(things.map((thing) => thing.id)).map((twice) => `${place} has the id ${twice} more than once`),
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

export const problemsOf = (company: CompanySettings): string[] => [
  ...twiceIn('workspaces', company.workspaces),
  ...company.workspaces.flatMap(({ name: workspace, teams }) => twiceIn(`teams of ${workspace}`, teams)),
  ...twiceIn('roles', company.roles),
  ...twiceIn('permission_sets', company.permission_sets),
  ...unknownPermissions(company),
  ...unknownWorkspaces(company),
];
