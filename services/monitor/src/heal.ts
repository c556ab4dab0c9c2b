/** Keeps the serving copy of keys and workspaces equal to the truth: at start, twice a minute, and whenever Redis comes back. */
import { type Everything, refreshCopy } from '@roster/access';
import type { Log, Metrics } from '@roster/runtime';
import type { Redis } from 'ioredis';

export interface Healing {
  /** Does it now; false when a server is away. Never throws. */
  heal(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface HealingOptions {
  redis: Redis;
  readTruth(): Promise<Everything>;
  log: Log;
  metrics: Metrics;
  everyMs?: number;
}

const countRefreshes = (metrics: Metrics) =>
  metrics.counter({
    name: 'roster_access_refreshes_total',
    help: 'How often the serving copy of keys and workspaces was compared with the truth.',
    labels: ['result'],
  });

export const keepHealed = ({ redis, readTruth, log, metrics, everyMs = 30_000 }: HealingOptions): Healing => {
  const results = countRefreshes(metrics);
  let running: Promise<boolean> | undefined;
  let well = true;

  const compare = async (): Promise<boolean> => {
    try {
      const { keys, workspaces } = await refreshCopy(redis, readTruth);
      results.with('done').inc();
      if (keys + workspaces > 0 || !well) log.info({ keys, workspaces }, 'serving copy repaired');
      well = true;
    } catch (err) {
      results.with('failed').inc();
      // Once, not twice a minute for as long as a server is away.
      if (well) log.warn({ err }, 'comparing the serving copy with MongoDB failed');
      well = false;
    }
    return well;
  };

  const heal = (): Promise<boolean> => {
    running ??= compare().finally(() => {
      running = undefined;
    });
    return running;
  };
  const soon = () => void heal();
  const timer = setInterval(soon, everyMs);
  redis.on('ready', soon);
  return {
    heal,
    async stop() {
      clearInterval(timer);
      redis.off('ready', soon);
      await running;
    },
  };
};
