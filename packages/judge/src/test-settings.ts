/** For tests: settings of a workspace with two groups and an app. A test states only what matters to it. */
import type { JudgeSettings } from '@roster/contract';

export const aJudgeSettings = (more: Partial<JudgeSettings> = {}): JudgeSettings => ({
  maxUpdates: 50,
  blockedExternalIds: new Set(),
  suspiciousExternalIds: new Set(),
  groups: new Map([
    ['news', 'email'],
    ['alerts', 'sms'],
  ]),
  apps: new Set(['shop']),
  appNames: new Map(),
  tags: new Set(['footer']),
  ...more,
});
