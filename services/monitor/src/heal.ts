/** Keeps the serving copy of keys and workspaces equal to the truth: at start, twice a minute, and whenever Redis comes back. */
import { type Everything, refreshCopy } from '@roster/access';
import type { Log, Metrics } from '@roster/runtime';
import type { Redis } from 'ioredis';
import { repeat } from './repeat.ts';

interface HealingOptions {
  redis: Redis;
  readTruth(): Promise<Everything>;
  log: Log;
  metrics: Metrics;
  everyMs?: number;
}

export const keepHealed = ({ redis, readTruth, log, metrics, everyMs = 30_000 }: HealingOptions) => {
  const results = metrics.counter({
    name: 'roster_access_refreshes_total',
    help: 'How often the serving copy of keys and workspaces was compared with the truth.',
    labels: ['result'],
  });
  const comparing = repeat({
    everyMs,
    async work(wasWell) {
      const { keys, workspaces } = await refreshCopy(redis, readTruth);
      results.with('done').inc();
      if (keys + workspaces > 0 || !wasWell) log.info({ keys, workspaces }, 'serving copy repaired');
    },
    failed(err, wasWell) {
      results.with('failed').inc();
      if (wasWell) log.warn({ err }, 'comparing the serving copy with MongoDB failed');
    },
  });
  const soon = () => void comparing.now();
  redis.on('ready', soon);
  return {
    now: comparing.now,
    async stop(): Promise<void> {
      redis.off('ready', soon);
      await comparing.stop();
    },
  };
};
