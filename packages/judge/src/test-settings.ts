/** For tests: what the judge is given. */
import { type JudgeSettings, type Operation, type OperationId, operationById } from '@roster/contract';

export const operationOf = (id: OperationId): Operation => {
  const operation = operationById(id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
};

/** Settings of a workspace with two groups and an app. A test states only what matters to it. */
export const aJudgeSettings = (more: Partial<JudgeSettings> = {}): JudgeSettings => ({
  maxUpdates: 50,
  blockedExternalIds: new Set(),
  suspiciousExternalIds: new Set(),
  groups: new Map([
    ['news', 'email'],
    ['alerts', 'sms'],
  ]),
  apps: new Set(['shop']),
  tags: new Set(['footer']),
  ...more,
});
