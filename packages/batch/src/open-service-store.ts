/** MongoDB, as a service opens it. */
import type { QueueFamily } from '@roster/contract';
import { type Context, measureConflicts } from '@roster/runtime';
import { openStore, type Store } from '@roster/store';

type StoreContext = Context<{ MONGO_URL: string; ROSTER_SECRET?: string }>;

export const openServiceStore = (
  name: QueueFamily,
  { config, log, metrics }: Pick<StoreContext, 'config' | 'log' | 'metrics'>,
  { ensureIndexes = true }: { ensureIndexes?: boolean } = {},
): Promise<Store> =>
  openStore({
    url: config.MONGO_URL,
    appName: `roster-${name}`,
    ...(config.ROSTER_SECRET !== undefined && { secret: config.ROSTER_SECRET }),
    ensureIndexes,
    onConflict: measureConflicts({ metrics }, name),
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });
