/** Makes one mongod a replica set of its own, which transactions need. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from './driver.ts';

export const replicaSet = 'rs0';

interface Config {
  version: number;
  members: { host: string }[];
}

const codeOf = (error: unknown): unknown => (error as { codeName?: unknown } | null)?.codeName;

const initiate = (admin: Admin, host: string) =>
  admin.command({ replSetInitiate: { _id: replicaSet, members: [{ _id: 0, host }] } });

/** Yesterday it listened on another port: it does not know itself any more until it is told, by force. */
const moveTo = (admin: Admin, config: Config, host: string) =>
  admin.command({
    replSetReconfig: {
      ...config,
      version: config.version + 1,
      members: config.members.map((member) => ({ ...member, host })),
    },
    force: true,
  });

const readConfig = async (admin: Admin): Promise<Config | undefined> => {
  try {
    return (await admin.command({ replSetGetConfig: 1 })).config as Config;
  } catch (error) {
    if (codeOf(error) === 'NotYetInitialized') return undefined;
    throw error;
  }
};

export const makePrimary = async (admin: Admin, host: string): Promise<void> => {
  const config = await readConfig(admin);
  if (!config) await initiate(admin, host);
  else if (config.members[0]?.host !== host) await moveTo(admin, config, host);
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(20))
    if ((await admin.command({ hello: 1 })).isWritablePrimary) return;
  throw new Error('no primary');
};
