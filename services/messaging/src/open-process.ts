/** What the process of the interface and that of sending have of their own each: a store, a connection to Redis, and threads for templates. */
import { openServiceStore } from '@roster/batch';
import { pointsOfTemplates, work } from '@roster/contract';
import { openLiquid, type Templates } from '@roster/liquid';
import { answers, createLateCharges, openConnection } from '@roster/queue';
import type { Config, Context } from '@roster/runtime';
import { createLimitOf, type Store } from '@roster/store';
import { createFreshness, type Freshness } from './freshness.ts';
import { createLinks, type Links } from './links/link.ts';
import { createSenderSettings, type SettingsOfSender } from './sending/settings.ts';

export interface ProcessParts extends Freshness {
  store: Store;
  redis: ReturnType<typeof openConnection>;
  links: Links;
  settingsOf: SettingsOfSender;
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
  const charges = createLateCharges({
    redis,
    rateOf: createLimitOf(store.workspaces, work),
    pointsOf: pointsOfTemplates,
  });
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
