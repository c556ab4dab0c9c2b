// A MongoDB of three members on this machine, each of which can be killed, frozen and started again.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort, ensureMongo, type Launched, launch } from '@roster/local-stack';
import mongoose from 'mongoose';
import { until } from './wait.ts';

type Document = mongoose.mongo.Document;

export interface Member {
  port: number;
  isPrimary(): Promise<boolean>;
  signal(name: NodeJS.Signals): void;
  /** Without warning. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Works with the admin database of this member, whatever its place in the set. */
  command(document: Document): Promise<Document>;
}

export interface MongoSet {
  url: string;
  members: readonly Member[];
  primary(): Promise<Member>;
  stop(): Promise<void>;
}

const name = 'rs0';
const electionMs = 2_000;
const patienceMs = 60_000;

const settings = (dir: string, port: number): Record<string, string> => ({
  port: String(port),
  dbpath: dir,
  bind_ip: '127.0.0.1',
  replSet: name,
  networkMessageCompressors: 'snappy,zstd',
  wiredTigerCacheSizeGB: '0.25',
  oplogSize: '200',
});

/**
 * A follower waits for its silent source as long as it waits for news, half an election, and so many seconds more. Until it has chosen
 * another source, the new primary has no majority. Five seconds are usual.
 */
const patientWithSource = 'oplogNetworkTimeoutBufferSeconds=1';

const parameters = [
  patientWithSource,
  'diagnosticDataCollectionEnabled=false',
  'shutdownTimeoutMillisForSignaledShutdown=100',
  'transactionLifetimeLimitSeconds=10',
];

const argsOf = (dir: string, port: number): string[] => [
  ...Object.entries(settings(dir, port)).flatMap(([option, value]) => [`--${option}`, value]),
  ...parameters.flatMap((parameter) => ['--setParameter', parameter]),
  '--nounixsocket',
];

const ask = async (port: number, document: Document): Promise<Document> => {
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const limits = { serverSelectionTimeoutMS: 1_000, connectTimeoutMS: 1_000, socketTimeoutMS: 10_000 };
  const client = new mongoose.mongo.MongoClient(url, limits);
  try {
    return await client.db('admin').command(document);
  } finally {
    await client.close();
  }
};

const startMember = async (base: string, program: string): Promise<Member> => {
  const port = await anyFreePort();
  const dir = join(base, String(port));
  mkdirSync(dir);
  const place = { logFile: join(base, `${port}.log`), pidFile: join(base, `${port}.json`), cwd: dir };
  const begin = () => launch({ command: program, args: argsOf(dir, port), ...place });
  let launched: Launched = await begin();
  const command = (document: Document) => ask(port, document);
  const answers = async (): Promise<void> => {
    const isUp = async () => (await command({ ping: 1 })).ok === 1;
    if ((await until(patienceMs, isUp)) === undefined) throw new Error(`mongod on ${port} does not answer`);
  };
  await answers();
  return {
    port,
    command,
    isPrimary: async () => (await command({ hello: 1 })).isWritablePrimary === true,
    signal: (signal) => void process.kill(launched.pid, signal),
    async kill() {
      launched.child.kill('SIGKILL');
      await launched.exited;
    },
    async start() {
      if (launched.isRunning()) return;
      launched = await begin();
      await answers();
    },
  };
};

const initiate = (members: readonly Member[]): Promise<Document> =>
  (members[0] as Member).command({
    replSetInitiate: {
      _id: name,
      members: members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` })),
      settings: { electionTimeoutMillis: electionMs, heartbeatIntervalMillis: 500 },
    },
  });

export const startMongoSet = async (): Promise<MongoSet> => {
  const base = mkdtempSync(join(tmpdir(), 'roster-set-'));
  const program = await ensureMongo({ say: () => {} });
  const members = await Promise.all([1, 2, 3].map(() => startMember(base, program)));
  await initiate(members);
  const primary = async (): Promise<Member> => {
    let found: Member | undefined;
    const isFound = async () => {
      const asked = members.map(async (member) =>
        (await member.isPrimary().catch(() => false)) ? member : undefined,
      );
      found = (await Promise.all(asked)).find((member) => member !== undefined);
      return found !== undefined;
    };
    await until(patienceMs, isFound);
    if (!found) throw new Error('the set has no primary');
    return found;
  };
  await primary();
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `mongodb://${hosts}/roster?replicaSet=${name}`,
    members,
    primary,
    async stop() {
      await Promise.all(members.map((member) => member.kill()));
      rmSync(base, { recursive: true, force: true });
    },
  };
};
