/** Who looks at the board, and what they may see there. */
import { type CompanySettings, companyScope } from '@roster/access';
import type { DashboardPermissions, DashboardUserDocument } from '@roster/store';

export interface Viewer {
  /** Runs the deployment. While the board needs no sign-in, each caller is an operator. */
  isOperator: boolean;
  /** Whether the jobs and dead letters of this workspace, or of this company's SCIM, are theirs to see. */
  sees(ws: string): boolean;
}

export const operator: Viewer = { isOperator: true, sees: () => true };

/** Either of them: who administers a workspace, and who develops against its interface. */
const needed = ['admin', 'dev_console'];

type StoredWorkspace = DashboardPermissions['workspaces'][number];

const maySee = ({ permissions, sets }: StoredWorkspace, company: CompanySettings): boolean => {
  const granted = new Set(permissions);
  for (const set of company.permission_sets)
    if (sets.includes(set.id)) for (const permission of set.permissions) granted.add(permission);
  return needed.some((permission) => granted.has(permission));
};

/**
 * A company's workspace is the workspace of Roster with the same id. Its admins see all of them, other users those in which they have the
 * permission. Undefined for a user who may see nothing at all.
 */
export const viewerOf = (
  { permissions }: Pick<DashboardUserDocument, 'permissions'>,
  company: CompanySettings | undefined,
): Viewer | undefined => {
  if (!company || !permissions) return undefined;
  const all = company.workspaces.map(({ id }) => id);
  const isAdmin = permissions.company.includes('admin');
  const allowed = permissions.workspaces.filter((stored) => maySee(stored, company)).map(({ id }) => id);
  const seen = new Set(
    isAdmin ? [...all, companyScope(company.id)] : all.filter((id) => allowed.includes(id)),
  );
  return seen.size === 0 ? undefined : { isOperator: false, sees: (ws) => seen.has(ws) };
};
