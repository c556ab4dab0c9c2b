/** What the process of the interface and that of sending have of their own each: a store, a connection to Redis, threads for templates and emails. */
import { openCharges, openServiceStore } from '@roster/batch';
import { type Channels, type ChannelsOptions, openChannels } from '@roster/channels';
import { pointsOfTemplates } from '@roster/contract';
import { openLiquid } from '@roster/liquid';
import { answers, createPartitions, openConnection } from '@roster/queue';
import type { Config, Context } from '@roster/runtime';
import { secretsOf } from '@roster/secrets';
import { createFreshness } from './freshness.ts';
import type { Tools } from './handler.ts';
import { createLinks } from './links/link.ts';
import { pageUrlsOf } from './links/page-urls.ts';
import { createSenderSettings } from './sending/settings.ts';

interface ProcessParts
  extends ReturnType<typeof createFreshness>,
    Pick<Tools, 'store' | 'urls' | 'settingsOf' | 'liquidOf'> {
  redis: ReturnType<typeof openConnection>;
  channels: Channels;
  /** Whether Redis answers. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}

export const openProcess = async (
  name: 'messaging' | 'sender',
  context: Context<Config<'messaging' | 'sender'>>,
  instead: Pick<ChannelsOptions, 'names'> = {},
): Promise<ProcessParts> => {
  const { config } = context;
  const store = await openServiceStore(name, context);
  const redis = openConnection('producer', config.REDIS_URL);
  const liquid = openLiquid();
  /** In microseconds. */
  const charges = openCharges({ store, redis }, pointsOfTemplates);
  /** Work that a workspace caused in a thread is charged to it. */
  const onSpent = (ws: string, cpuMs: number): void => charges.add(ws, cpuMs * 1000);
  const channels = openChannels({ onSpent, ...instead });
  return {
    store,
    redis,
    channels,
    ...createFreshness(redis, createPartitions(redis, config.TRACK_PARTITIONS)),
    urls: pageUrlsOf(config, createLinks(secretsOf(config))),
    settingsOf: createSenderSettings(store),
    liquidOf: (ws) => liquid.metered((cpuMs) => onSpent(ws, cpuMs), ws),
    answers: () => answers(redis),
    async close() {
      await channels.close();
      await charges.close();
      redis.disconnect();
      await liquid.close();
      await store.close();
    },
  };
};
