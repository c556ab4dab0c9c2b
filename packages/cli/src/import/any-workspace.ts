/** Settings for judging without the server: only it knows its workspace, so that each app and group is taken as known. */
import { completeSettings, judgeSettingsOf } from '@roster/access';
import type { JudgeSettings } from '@roster/contract';

const has = () => true;

export const anyWorkspace = (maxUpdates: number): JudgeSettings => ({
  ...judgeSettingsOf(completeSettings({ id: 'any' })),
  maxUpdates,
  apps: Object.assign(new Set<string>(), { has }),
  groups: Object.assign(new Map<string, 'email' | 'sms'>(), { has }),
});
