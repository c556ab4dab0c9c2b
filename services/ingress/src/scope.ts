/** The settings and limits of the caller: of a workspace, or of a company for SCIM. */
import { type CompanySettings, companyScope, upToDate, type WorkspaceSettings } from '@roster/access';
import type { JudgeSettings } from '@roster/contract';

export interface Scope extends Pick<WorkspaceSettings, 'id' | 'limits'> {
  judge: JudgeSettings;
}

const judgeSettingsOf = (settings: WorkspaceSettings): JudgeSettings => {
  const { track, subscription_groups, apps, tags } = upToDate(settings);
  return {
    maxUpdates: track.max_updates,
    blockedExternalIds: new Set(track.blocked_external_ids),
    suspiciousExternalIds: new Set(track.suspicious_external_ids.map((id) => id.trim().toLowerCase())),
    groups: new Map(subscription_groups.map(({ id, channel }) => [id, channel])),
    apps: new Set(apps.map(({ id }) => id)),
    tags: new Set(tags),
  };
};

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
  tags: new Set(),
};

export const scopeOfCompany = ({ id, limits }: Pick<CompanySettings, 'id' | 'limits'>): Scope => ({
  id: companyScope(id),
  limits,
  judge: nothingTracked,
});
