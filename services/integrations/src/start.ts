/** Wires the service of data integrations: a queue of its own, and the jobs that sync rows. */
import { storedSettings } from '@roster/access';
import { type AnswersReplacements, openServiceStore, startAnswers } from '@roster/batch';
import { createReadCredential } from '@roster/channels';
import { work } from '@roster/contract';
import { createJudgeRows } from '@roster/integrations';
import {
  callersWait,
  chargeBackground,
  createProducer,
  growing,
  profileQueues,
  watchPressure,
} from '@roster/queue';
import { type Config, type Context, environment, type Running } from '@roster/runtime';
import { secretsOf } from '@roster/secrets';
import { createLimitOf, type Store } from '@roster/store';
import type { IntegrationTools } from './handler.ts';
import { createAnswer } from './handlers.ts';
import { watchOthers } from './jobs/others.ts';
import { createSender, type Sender } from './jobs/sender.ts';
import { type JobReplacements, startJobs } from './jobs/start-jobs.ts';

type IntegrationsContext = Context<Config<'integrations'>>;

const limits = { requests: 20, entries: 100, bytes: 4_000_000 };

/** What fault tests exchange. */
export interface Replacements extends AnswersReplacements {
  jobs?: JobReplacements;
  sender?(sender: Sender): Sender;
}

/** The requests of rows go out as those of the ingress do. */
const openSending = ({ config }: IntegrationsContext, { workspaces }: Pick<Store, 'workspaces'>) => {
  const producer = createProducer({
    url: config.REDIS_URL,
    secret: secretsOf(config),
    partitions: config.TRACK_PARTITIONS,
    waitReplicas: config.REDIS_WAIT_REPLICAS,
    idempotencyHours: 1,
    background: true,
  });
  const queues = growing(producer.partitions, profileQueues);
  const pressure = watchPressure({
    redis: producer.redis,
    queues,
    limits: config,
  });
  const others = watchOthers(() => callersWait(producer.redis, queues));
  const rateOf = createLimitOf(workspaces, work);
  return {
    sender: createSender({
      producer,
      pressure,
      pay: async (ws, points) => chargeBackground(producer.redis, { ws, rate: await rateOf(ws), points }),
      others: others.share,
      secret: secretsOf(config),
    }),
    async close(): Promise<void> {
      others.close();
      pressure.close();
      await producer.close();
    },
  };
};

export const startIntegrations = async (
  context: IntegrationsContext,
  { jobs: instead = {}, sender: replace = (one) => one, ...replacements }: Replacements = {},
): Promise<Running> => {
  // First: once the worker runs, its event loop may not stand still.
  const judgeRows = createJudgeRows();
  const store = await openServiceStore('integrations', context);
  // Each time as they are now: a connection that was just added is there.
  const settingsOf = async (ws: string) => storedSettings(await store.workspaces.get(ws));
  const connectionOf: IntegrationTools['connectionOf'] = async (ws, id) =>
    (await settingsOf(ws)).integrations.connections.find((one) => one.id === id);
  const sending = openSending(context, store);
  const jobs = startJobs(context, {
    store,
    sender: replace(sending.sender),
    judgeRows,
    settingsOf,
    places: {
      read: createReadCredential({
        env: environment(),
        dir: context.config.CREDENTIALS_DIR,
        command: 'roster integration credential',
      }),
      filesDir: context.config.FILES_DIR,
    },
    ...instead,
  });
  return startAnswers(
    context,
    {
      name: 'integrations',
      what: 'requests about data integrations',
      store,
      limits,
      apply: createAnswer({ store, connectionOf }),
      async close() {
        await jobs.stop();
        await sending.close();
        await store.close();
      },
    },
    replacements,
  );
};
