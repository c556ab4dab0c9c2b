/** Where a choice goes: the queue of the subscription rules. */
import { work } from '@roster/contract';
import { answers, chargeWork, createProducer, queuesOf, shareOfMemory, watchPressure } from '@roster/queue';
import type { Config, Context } from '@roster/runtime';
import { secretsOf } from '@roster/secrets';
import { createLimitOf, type Store } from '@roster/store';
import { createFreshness } from '../freshness.ts';
import { rememberedHours } from '../links/form-token.ts';
import { createSay, type Say } from '../phone/statement.ts';
import { createSubmit, type Submit } from './submission.ts';

export type PagesContext = Context<Config<'pages'>>;

export const openPagesQueue = ({ config }: PagesContext) => {
  const producer = createProducer({
    url: config.REDIS_URL,
    secret: secretsOf(config),
    partitions: config.TRACK_PARTITIONS,
    waitReplicas: config.REDIS_WAIT_REPLICAS,
    idempotencyHours: rememberedHours,
    mostKept: () => shareOfMemory(config.IDEMPOTENCY_SHARE, pressure.gauge()),
  });
  // Redis is protected from strangers as it is from callers of the interface.
  const pressure = watchPressure({
    redis: producer.redis,
    queues: queuesOf('subscription', 1),
    limits: config,
  });
  const submit = createSubmit(producer);
  /** Also without Redis a page is shown: nothing can be saved then, and the person is told so. */
  const { freshNow } = createFreshness(producer.redis, producer.partitions);
  return {
    answers: () => answers(producer.redis),
    say: (parts: Pick<Parameters<typeof createSay>[0], 'store' | 'settingsOf'>): Say => {
      const say = createSay({ ...parts, producer, fresh: freshNow });
      return async (said) => (pressure.refusal() ? 'away' : say(said));
    },
    /** For what a person has us do that nobody paid with a request. */
    charge(store: Pick<Store, 'workspaces'>) {
      const rateOf = createLimitOf(store.workspaces, work);
      return async (ws: string, points: number): Promise<void> =>
        chargeWork(producer.redis, { ws, rate: await rateOf(ws), points });
    },
    submit: (async (submitted) => (pressure.refusal() ? 'away' : submit(submitted))) satisfies Submit,
    freshNow,
    async close(): Promise<void> {
      pressure.close();
      await producer.close();
    },
  };
};

export type PagesQueue = ReturnType<typeof openPagesQueue>;
