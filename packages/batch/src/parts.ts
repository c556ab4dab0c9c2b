/** The connections and counters that every worker opens at its start and closes at its stop. */
import { pointsOfLoaded, present, type QueueFamily, work } from '@roster/contract';
import {
  createDeadLetters,
  createLateCharges,
  createPartitions,
  type DeadLetters,
  type LateChargesOptions,
  openConnection,
  type Partitions,
} from '@roster/queue';
import { type Config, type Context, measureLoaded } from '@roster/runtime';
import { type Secrets, type SecretVariables, secretsOf } from '@roster/secrets';
import {
  createInPieces,
  createLimitOf,
  type InPieces,
  type LoadLimits,
  openStore,
  type Store,
} from '@roster/store';

type BatchConfig = Pick<
  Config<'track'>,
  'REDIS_URL' | 'REDIS_WAIT_REPLICAS' | 'MONGO_URL' | 'TRACK_PARTITIONS'
> &
  SecretVariables;

export type BatchContext = Context<BatchConfig>;

/** SCIM has none. */
const secretIn = ({
  ROSTER_SECRET,
  ROSTER_SECRET_ALSO = '',
}: Partial<SecretVariables>): Secrets | undefined =>
  ROSTER_SECRET === undefined ? undefined : secretsOf({ ROSTER_SECRET, ROSTER_SECRET_ALSO });

export const openServiceStore = (
  name: QueueFamily | 'pages' | 'sender',
  { config, log }: Pick<Context<{ MONGO_URL: string } & Partial<SecretVariables>>, 'config' | 'log'>,
): Promise<Store> =>
  openStore({
    url: config.MONGO_URL,
    appName: `roster-${name}`,
    ...present({ secret: secretIn(config) }),
    whenPrepared: true,
    onWaiting: (err) => log.warn({ err }, 'waiting for MongoDB'),
  });

const longestLifetimeSeconds = 15;

const warnOfLongTransactions = (seconds: number | undefined, { log }: BatchContext): void => {
  if (seconds !== undefined && seconds > longestLifetimeSeconds)
    log.warn(
      { seconds, longestLifetimeSeconds },
      'the open transaction of a killed worker blocks its people for this long: set transactionLifetimeLimitSeconds of MongoDB to 10',
    );
};

export interface BatchParts {
  store: Store;
  redis: ReturnType<typeof openConnection>;
  /** Of the queues of track. */
  partitions: Partitions;
  letters: DeadLetters;
  inPieces: InPieces;
  /** The longest lifetime of a transaction in MongoDB; undefined when MongoDB does not tell. */
  lifetimeSeconds: number | undefined;
  close(): Promise<void>;
}

type Charged = Pick<LateChargesOptions, 'redis'> & { store: Pick<Store, 'workspaces'> };

/** Charges the workspace of the requests for work whose amount is known only afterwards. */
export const openCharges = ({ store, redis }: Charged, pointsOf: LateChargesOptions['pointsOf']) =>
  createLateCharges({ redis, rateOf: createLimitOf(store.workspaces, work), pointsOf });

/** The bytes that transactions load are bounded, measured, and charged to the workspace of the requests. */
const loading = (
  name: QueueFamily,
  context: BatchContext,
  parts: Charged,
  limits: LoadLimits | undefined,
) => {
  const loaded = measureLoaded(context, name);
  const charges = openCharges(parts, pointsOfLoaded);
  const inPieces = createInPieces({
    ...(limits && { limits }),
    onLoaded(ws, bytes) {
      loaded(ws, bytes);
      charges.add(ws, bytes);
    },
  });
  return { charges, inPieces };
};

export const openParts = async (
  name: QueueFamily,
  context: BatchContext,
  limits?: LoadLimits,
): Promise<BatchParts> => {
  const store = await openServiceStore(name, context);
  const lifetimeSeconds = await store.transactionLifetime();
  warnOfLongTransactions(lifetimeSeconds, context);
  const redis = openConnection('patient', context.config.REDIS_URL);
  const partitions = createPartitions(redis, context.config.TRACK_PARTITIONS);
  const letters = createDeadLetters(redis);
  const { charges, inPieces } = loading(name, context, { store, redis }, limits);
  return {
    store,
    redis,
    partitions,
    letters,
    inPieces,
    lifetimeSeconds,
    async close() {
      await charges.close();
      await letters.close();
      redis.disconnect();
      await store.close();
    },
  };
};
