// The stack as `npm start` runs it: one process that starts all the others in a folder, and is killed with them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '@roster/local-stack';
import { Redis } from 'ioredis';
import { createClient } from './client.ts';
import { openMongo } from './mongo.ts';
import { jobsInFlight } from './queue-state.ts';
import { until } from './wait.ts';

/** What a running stack says of itself. */
interface Local {
  baseUrl: string;
  monitorUrl: string;
  apiKey: string;
  redisUrl: string;
  mongoUrl: string;
  pids: Record<string, number>;
}

export const readLocal = (dir: string): Local =>
  JSON.parse(readFileSync(join(dir, 'local.json'), 'utf8')) as Local;

const script = fileURLToPath(new URL('../../../packages/local-stack/dist/start.js', import.meta.url));
const patienceMs = 90_000;

const killPid = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
};

/** Its first process, once that has said that all is up; throws with what it said when it gives up. */
const begin = async (dir: string, env: Record<string, string>) => {
  const notes = mkdtempSync(join(tmpdir(), 'roster-start-'));
  const logFile = join(notes, 'start.log');
  const said = (): string => readFileSync(logFile, 'utf8');
  try {
    const launched = await launch({
      command: process.execPath,
      args: [script],
      env: { ...process.env, LOG_LEVEL: 'warn', ROSTER_HOME: dir, PORT: '0', MONITOR_PORT: '0', ...env },
      logFile,
      pidFile: join(notes, 'start.json'),
    });
    await until(patienceMs, async () => said().includes('Roster is up') || !launched.isRunning());
    if (said().includes('Roster is up')) return launched;
    await launched.stop(1_000);
    throw new Error(`the stack did not start: ${said().replace(/\s+/g, ' ').trim().slice(0, 300)}`);
  } finally {
    rmSync(notes, { recursive: true, force: true });
  }
};

export const npmStart = async (dir: string, env: Record<string, string> = {}) => {
  const { child, exited } = await begin(dir, env);
  const local = readLocal(dir);
  const redis = new Redis(local.redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  const { db, close } = await openMongo(local.mongoUrl);
  const client = createClient(local);
  return {
    client,
    redis,
    mongo: db,
    quiet: async (ms: number) =>
      (await until(ms, async () => (await jobsInFlight(redis)) === 0, 100)) !== undefined,
    /** Every process of it at once, as the power takes them. */
    async kill(): Promise<void> {
      client.close();
      redis.disconnect();
      await close();
      child.kill('SIGKILL');
      Object.values(local.pids).forEach(killPid);
      await exited;
    },
  };
};
