/** The settings and limits of the caller: of a workspace, or of a company for SCIM. */
import { type CompanySettings, companyScope, judgeSettingsOf, type WorkspaceSettings } from '@roster/access';
import type { JudgeSettings } from '@roster/contract';

export interface Scope extends Pick<WorkspaceSettings, 'id' | 'limits'> {
  judge: JudgeSettings;
}

const scopes = new WeakMap<WorkspaceSettings, Scope>();

/** Made once for each copy of the settings, not for each request. */
export const scopeOfWorkspace = (settings: WorkspaceSettings): Scope => {
  const known = scopes.get(settings);
  if (known) return known;
  const { id, limits } = settings;
  const made = { id, limits, judge: judgeSettingsOf(settings) };
  scopes.set(settings, made);
  return made;
};

/** A company has no tracked people. */
const nothingTracked: JudgeSettings = {
  maxUpdates: 0,
  blockedExternalIds: new Set(),
  suspiciousExternalIds: new Set(),
  groups: new Map(),
  apps: new Set(),
  appNames: new Map(),
  tags: new Set(),
};

export const scopeOfCompany = ({ id, limits }: Pick<CompanySettings, 'id' | 'limits'>): Scope => ({
  id: companyScope(id),
  limits,
  judge: nothingTracked,
});
