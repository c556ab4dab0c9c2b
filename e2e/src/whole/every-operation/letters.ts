/** Requests as they would stand among the dead letters, if they could not be applied. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedRequest, Operation, QueueFamily } from '@roster/contract';
import { createJudge } from '@roster/judge';
import { createDeadLetters, openConnection } from '@roster/queue';
import { type System, workspace } from '../../system.ts';
import { textsIn } from './names.ts';

const judge = createJudge();
const { subscription_groups: groups, apps } = workspace;
const settings = {
  maxUpdates: 50,
  blockedExternalIds: new Set<string>(),
  suspiciousExternalIds: new Set<string>(),
  groups: new Map(groups.map(({ id, channel }) => [id, channel as 'email' | 'sms'])),
  apps: new Set(apps.map(({ id }) => id)),
  tags: new Set<string>(),
};

const requestOf = (operation: Operation, body: unknown): AcceptedRequest => {
  const verdict = judge(operation, { body }, settings);
  if (!verdict.ok) throw verdict.rejection;
  const at = Date.now() * 1000;
  const id = `r${at.toString(36)}-00000000`;
  return { id, ws: workspace.id, op: operation.id, at, body: verdict.accepted.body };
};

export const openLetters = ({ redisUrl }: System) => {
  const redis = openConnection('patient', redisUrl);
  const letters = createDeadLetters(redis, 2);

  const holds = async (id: string, text: string): Promise<boolean> =>
    textsIn((await letters.get(id))?.request.body).includes(text);

  return {
    async plant(operation: Operation, body: unknown): Promise<string> {
      const request = requestOf(operation, body);
      const { id } = request;
      const queue = operation.queue as QueueFamily;
      await letters.add({ id, queue, code: 'X', reason: 'x', at: 'now', request });
      return id;
    },
    holds,
    /** When the sweeps have had their time. */
    async stillHolds(id: string, text: string): Promise<boolean> {
      for (const end = Date.now() + 60_000; Date.now() < end; await sleep(25))
        if (!(await holds(id, text))) return false;
      return true;
    },
    drop: letters.drop,
    async close(): Promise<void> {
      await letters.close();
      redis.disconnect();
    },
  };
};

export type Letters = ReturnType<typeof openLetters>;
