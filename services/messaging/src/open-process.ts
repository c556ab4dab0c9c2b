/** What the process of the interface and that of sending have of their own each: a store, a connection to Redis, and threads for templates. */
import { openCharges, openServiceStore } from '@roster/batch';
import { pointsOfTemplates } from '@roster/contract';
import { openLiquid, type Templates } from '@roster/liquid';
import { answers, openConnection } from '@roster/queue';
import type { Config, Context } from '@roster/runtime';
import type { Store } from '@roster/store';
import { createFreshness } from './freshness.ts';
import { createLinks } from './links/link.ts';
import { createSenderSettings } from './sending/settings.ts';

interface ProcessParts extends ReturnType<typeof createFreshness> {
  store: Store;
  redis: ReturnType<typeof openConnection>;
  links: ReturnType<typeof createLinks>;
  settingsOf: ReturnType<typeof createSenderSettings>;
  /** Work that a workspace caused in a thread is charged to it. */
  onSpent(ws: string, cpuMs: number): void;
  /** What its templates cost is charged, too. */
  liquidOf(ws: string): Templates;
  /** Whether Redis answers. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}

export const openProcess = async (
  name: 'messaging' | 'sender',
  context: Context<Config<'messaging' | 'sender'>>,
): Promise<ProcessParts> => {
  const { REDIS_URL, ROSTER_SECRET, TRACK_PARTITIONS } = context.config;
  const store = await openServiceStore(name, context);
  const redis = openConnection('producer', REDIS_URL);
  const liquid = openLiquid();
  /** In microseconds. */
  const charges = openCharges({ store, redis }, pointsOfTemplates);
  const onSpent = (ws: string, cpuMs: number): void => charges.add(ws, cpuMs * 1000);
  return {
    store,
    redis,
    ...createFreshness(redis, TRACK_PARTITIONS),
    links: createLinks(ROSTER_SECRET),
    settingsOf: createSenderSettings(store),
    onSpent,
    liquidOf: (ws) => liquid.metered((cpuMs) => onSpent(ws, cpuMs), ws),
    answers: () => answers(redis),
    async close() {
      await charges.close();
      redis.disconnect();
      await liquid.close();
      await store.close();
    },
  };
};
