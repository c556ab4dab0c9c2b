// Tables of two servers and files of a bucket are synced while processes are killed and paused and rows change: each version of a row counts once, and
// the last one stays. In diff mode the tables alone, and rows are added and removed, too.
import { residentMbOf } from '../costly/processes.ts';
import { createCaller } from '../harness/caller.ts';
import { freeze, killAlong, outage } from '../harness/chaos.ts';
import { type Fault, type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { patienceOf, sleep, until } from '../harness/wait.ts';
import { openBucket } from './sync/bucket.ts';
import { tables, type Warehouse } from './sync/warehouse.ts';

const sizes = {
  full: { rows: 1_000_000, kills: 10, rounds: 8, pausedMs: 60_000, patienceMs: 3_600_000 },
  quick: { rows: 6_000, kills: 4, rounds: 2, pausedMs: 5_000, patienceMs: 90_000 },
};

/** Of a process of the integrations, however large the tables are. */
const mostMegabytes = 400;

interface Job {
  state: string;
  synced: number;
  failed: number;
}

interface Custom {
  external_id: string;
  custom: { k: string; v: number }[];
}

const jobsOf = ({ mongo }: System) => mongo.collection<Job & { _id: string }>('sync_jobs');

const isOver = async (system: System): Promise<boolean> =>
  (await jobsOf(system).countDocuments({ state: 'running' })) === 0;

const attribute = ({ custom }: Custom, name: string): number => custom.find(({ k }) => k === name)?.v ?? 0;

const heldBy = (system: System, name: string): number => Math.round(residentMbOf(system.part(name).pid));

/** What the profiles say, against the rows and the counts of the jobs. */
const judge = async (system: System, warehouses: readonly Warehouse[]): Promise<string[]> => {
  const broken: string[] = [];
  const values = new Map((await Promise.all(warehouses.map((one) => one.values()))).flat());
  let [people, stale, twice, applied] = [0, 0, 0, 0];
  const found = system.mongo
    .collection<Custom>('profiles')
    .find({}, { projection: { external_id: 1, custom: 1 } });
  for await (const one of found) {
    const value = values.get(one.external_id);
    const times = attribute(one, 'applied');
    people += 1;
    if (attribute(one, 'value') !== value) stale += 1;
    if (value === 0 && times > 1) twice += 1;
    applied += times;
  }
  if (people !== values.size) broken.push(`${people} people for ${values.size} rows`);
  if (stale > 0) broken.push(`${stale} people have another value than their rows`);
  if (twice > 0) broken.push(`${twice} rows that never changed were applied twice`);
  // Each was synced once before, and its removal counts.
  const removed = warehouses.reduce((sum, one) => sum + one.removed(), 0);
  applied += 2 * removed;
  const jobs = await jobsOf(system).find({}).toArray();
  const counted = jobs.reduce((sum, { synced }) => sum + synced, 0);
  if (applied !== counted) broken.push(`${counted} rows are counted, and ${applied} were applied`);
  const bad = jobs.filter(({ state, failed }) => state !== 'success' || failed > 0);
  if (bad.length > 0) broken.push(`jobs ended as ${bad.map(({ state }) => state).join(', ')}`);
  return broken;
};

interface How {
  main: string;
  isDiff: boolean;
}

type Work = Awaited<ReturnType<typeof openWork>>;

/** One that is paused for longer than its lease, in the middle of the next sync. */
const pauseOne = async ({ system, size, begin, over }: Work): Promise<boolean> => {
  const [first = ''] = system.processesOf('integrations');
  await begin();
  const [ended] = await Promise.all([over(), freeze(system, first, size.pausedMs)]);
  return ended;
};

/** In each of some syncs one is killed at a random moment, while rows are added, changed and removed. */
const killInRounds = async ({ system, size, warehouses, begin, over }: Work): Promise<boolean> => {
  const changing = warehouses.map((one) => one.keepChanging({ adds: true, removes: true }));
  const names = system.processesOf('integrations');
  let isOk = true;
  for (let round = 0; round < size.rounds && isOk; round += 1) {
    await begin();
    await sleep(Math.random() * 2_000);
    await outage(system, names[round % names.length] ?? '', 'SIGKILL', 0);
    isOk = await over();
  }
  await Promise.all(changing.map((stop) => stop()));
  return isOk;
};

/** All rows, in about equal parts. Each part is even, as half of its rows change. */
const openWarehouses = (trial: Trial, rows: number, isDiff: boolean): Promise<Warehouse[]> => {
  const opens = isDiff ? tables : [openBucket, ...tables];
  const part = 2 * Math.floor(rows / opens.length / 2);
  const partOf = (at: number): number => (at === 0 ? rows - part * (opens.length - 1) : part);
  return Promise.all(opens.map((open, at) => open(partOf(at), trial.folder())));
};

const openWork = async (trial: Trial, { main, isDiff }: How) => {
  const size = sizes[trial.quick ? 'quick' : 'full'];
  const warehouses = await openWarehouses(trial, size.rows, isDiff);
  trial.atEnd(() => Promise.all(warehouses.map((one) => one.close())));
  const system = await trial.system({
    services: ['ingress', 'track', 'integrations', ...(isDiff ? ['identity'] : [])],
    workers: { integrations: 2 },
    instead: { track: 'track-impatient', integrations: main },
    env: Object.assign({}, ...warehouses.map(({ env }) => env)),
  });
  const connections = warehouses.map(({ kind, connection }) => ({ id: kind, kind, ...connection }));
  const client = await system.newWorkspace('syncer', { integrations: { connections } });
  const { post } = createCaller(client, 'sync');
  const create = async ({ kind: connection, table }: Warehouse): Promise<string> => {
    const mode = isDiff ? { mode: 'diff', on_removed: 'delete' } : {};
    const body = { integration_name: connection, connection, table, data: 'attributes', ...mode };
    const { body: made } = await post('/cdi/integrations', body);
    return `/cdi/integrations/${made.integration_id}/sync`;
  };
  const syncs = await Promise.all(warehouses.map(create));
  const patienceMs = patienceOf(trial, size.patienceMs);
  return {
    system,
    size,
    warehouses,
    /** Begins a job for each warehouse. */
    begin: () => Promise.all(syncs.map((path) => post(path, {}))),
    /** Whether all jobs have ended in time. */
    over: async () => (await until(patienceMs, () => isOver(system), 100)) !== undefined,
  };
};

/** The first sync of all rows, while processes and servers are killed. */
const syncAll = async (trial: Trial, work: Work, { isDiff }: How) => {
  const { system, size, warehouses, begin } = work;
  await begin();
  const changing = warehouses.map((one) => one.keepChanging({ adds: isDiff }));
  let [synced, megabytes] = [0, 0];
  const look = async (): Promise<boolean> => {
    const jobs = await jobsOf(system).find({}).toArray();
    synced = jobs.reduce((sum, job) => sum + job.synced, 0);
    megabytes = Math.max(
      megabytes,
      ...system.processesOf('integrations').map((name) => heldBy(system, name)),
    );
    return jobs.length === warehouses.length && isOver(system);
  };
  const [first = '', second = ''] = system.processesOf('integrations');
  const victims = trial.quick
    ? [first, second, 'redis']
    : [first, 'track', second, 'redis', first, second, 'mongod'];
  const ending = until(patienceOf(trial, size.patienceMs), look, 100);
  const kills = await killAlong(system, victims, size.kills, () => synced / size.rows, ending);
  const ended = await ending;
  await Promise.all(changing.map((stop) => stop()));
  return { isEnded: ended !== undefined, figures: { rows: size.rows, kills, synced, megabytes } };
};

const attempt = async (trial: Trial, how: How): Promise<Findings> => {
  const work = await openWork(trial, how);
  const { isEnded, figures } = await syncAll(trial, work, how);
  const again = how.isDiff ? killInRounds : pauseOne;
  if (!isEnded || !(await again(work))) return { figures, broken: ['a job has not ended'] };
  await work.begin();
  if (!(await work.over())) return { figures, broken: ['the last job has not ended'] };
  const broken = await judge(work.system, work.warehouses);
  const { megabytes } = figures;
  if (megabytes > mostMegabytes) broken.push(`a process that syncs had ${megabytes} MB`);
  return { figures, broken };
};

const faultIn = (isDiff: boolean, words: Pick<Fault, 'name' | 'title'>): Fault => {
  const how = (main: string): How => ({ main, isDiff });
  return faultOf(attempt, [how('integrations-impatient'), how('integrations-forgetful')], {
    ...words,
    limitMinutes: 120,
    without: 'requests of a process that died are sent under new stamps',
    breaks: /were applied twice/,
  });
};

export const sync = faultIn(false, {
  name: 'sync',
  title:
    'tables of PostgreSQL and MariaDB and objects of an S3 bucket are synced by two processes that are killed and paused while rows change: each version of a row once, the last one stays, counts are exact, memory is constant',
});

export const syncDiff = faultIn(true, {
  name: 'sync-diff',
  title:
    'tables without a time are synced in diff mode by two processes that are killed while rows are added, changed and removed: profiles are equal to the rows, each change is applied once',
});
