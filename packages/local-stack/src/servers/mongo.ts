/** A mongod as a replica set of one member, on loopback. */
import { ensureMongo } from '../find/mongod.ts';
import type { Say } from '../find/search.ts';
import { withAdmin } from './driver.ts';
import { makePrimary, replicaSet } from './replica-set.ts';
import { type Kind, type Server, type ServerOptions, startServer } from './server.ts';

export interface MongoOptions extends ServerOptions {
  cacheGb?: number;
  /** How long a transaction may be open. */
  transactionSeconds?: number;
  /** Rows past their time stay. MongoDB removes them once a minute, so it is a matter of chance whether one is there. */
  keepsExpired?: boolean;
  /** One of several: whoever starts them makes the set. */
  isMember?: true;
  say?: Say;
}

const settings = (cacheGb: string): Record<string, string> => ({
  bind_ip: '127.0.0.1',
  replSet: replicaSet,
  networkMessageCompressors: 'snappy,zstd',
  wiredTigerCacheSizeGB: cacheGb,
  // Kept small: there is no second member to catch up.
  oplogSize: '1024',
});

const parameters = ({ transactionSeconds = 10, keepsExpired = false }: MongoOptions): string[] => [
  // No diagnostics on a laptop, and no quarter of a minute of waiting for other members when it stops.
  'diagnosticDataCollectionEnabled=false',
  'shutdownTimeoutMillisForSignaledShutdown=100',
  // What a killed worker had open would stand in the way of the others for a minute (docs/runbook.md).
  `transactionLifetimeLimitSeconds=${transactionSeconds}`,
  `ttlMonitorEnabled=${!keepsExpired}`,
];

const mongod = (options: MongoOptions): Kind => ({
  name: 'mongod',
  program: () => ensureMongo(options.say),
  args: (dir, port) => [
    ...Object.entries({
      port: String(port),
      dbpath: dir,
      ...settings(String(options.cacheGb ?? (process.env.ROSTER_MONGO_CACHE_GB || '1'))),
    }).flatMap(([name, value]) => [`--${name}`, value]),
    ...parameters(options).flatMap((parameter) => ['--setParameter', parameter]),
    '--nounixsocket',
  ],
  url: (port) => `mongodb://127.0.0.1:${port}/roster?replicaSet=${replicaSet}`,
  settle: (port) =>
    withAdmin(port, async (admin) => {
      if (!options.isMember) await makePrimary(admin, `127.0.0.1:${port}`);
    }),
});

export const startMongo = (options: MongoOptions): Promise<Server> => startServer(mongod(options), options);
