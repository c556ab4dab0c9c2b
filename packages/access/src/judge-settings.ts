/** Of the settings of a workspace: how its requests are judged. */
import { upToDate, type WorkspaceSettings } from './settings.ts';

export const judgeSettingsOf = (settings: WorkspaceSettings) => {
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
