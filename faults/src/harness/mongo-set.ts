// A MongoDB of three members on this machine, each of which can be killed, frozen and started again.
import { type Server, startMongo, withAdmin } from '@roster/local-stack';
import { until } from './wait.ts';

type Document = Record<string, unknown>;

const name = 'rs0';
const electionMs = 2_000;
const patienceMs = 60_000;

/**
 * A follower waits for its silent source as long as it waits for news, half an election, and so many seconds more. Until it has chosen
 * another source, the new primary has no majority. Five seconds are usual.
 */
const patientWithSource = ['--setParameter', 'oplogNetworkTimeoutBufferSeconds=1'];

const startMember = async (dir: string) => {
  const options = { dir, cacheGb: 0.25, args: patientWithSource, isMember: true } as const;
  let server: Server = await startMongo(options);
  const { port } = server;
  return {
    port,
    /** Works with the admin database of this member, whatever its place in the set. */
    command: (document: Document): Promise<Document> => withAdmin(port, (admin) => admin.command(document)),
    signal: (signal: NodeJS.Signals): void => void process.kill(server.pid, signal),
    /** Without warning. */
    async kill(): Promise<void> {
      server.process.child.kill('SIGKILL');
      await server.process.exited;
    },
    async start(): Promise<void> {
      if (!server.process.isRunning()) server = await startMongo({ ...options, port });
    },
  };
};

export type Member = Awaited<ReturnType<typeof startMember>>;

const initiate = (members: readonly Member[]): Promise<Document> =>
  (members[0] as Member).command({
    replSetInitiate: {
      _id: name,
      members: members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` })),
      settings: { electionTimeoutMillis: electionMs, heartbeatIntervalMillis: 500 },
    },
  });

/** Each member has a folder. */
export const startMongoSet = async (dirs: readonly string[]) => {
  const members = await Promise.all(dirs.map(startMember));
  await initiate(members);
  const primary = async (): Promise<Member> => {
    let found: Member | undefined;
    const look = async (member: Member): Promise<void> => {
      if ((await member.command({ hello: 1 })).isWritablePrimary === true) found = member;
    };
    const isFound = async (): Promise<boolean> => {
      await Promise.allSettled(members.map(look));
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
    stop: async (): Promise<void> => void (await Promise.all(members.map((member) => member.kill()))),
  };
};

export type MongoSet = Awaited<ReturnType<typeof startMongoSet>>;
