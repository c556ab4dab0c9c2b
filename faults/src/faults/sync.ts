// Tables of two servers are synced while processes are killed and paused and rows change: each version of a row counts once, and the last one stays.
import { createCaller } from '../harness/caller.ts';
import { freeze, killAlong } from '../harness/chaos.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { patienceOf } from '../harness/patience.ts';
import type { System } from '../harness/system.ts';
import { until } from '../harness/wait.ts';
import { openWarehouses, type Warehouse } from './sync/warehouse.ts';

const sizes = {
  full: { rows: 100_000, kills: 10, pausedMs: 60_000, patienceMs: 400_000 },
  quick: { rows: 6_000, kills: 4, pausedMs: 5_000, patienceMs: 90_000 },
};

interface Job {
  state: string;
  synced: number;
  failed: number;
  rows_expected?: number;
}

interface Custom {
  external_id: string;
  custom: { k: string; v: number }[];
}

const jobsOf = ({ mongo }: System) => mongo.collection<Job & { _id: string }>('sync_jobs');

const isOver = async (system: System): Promise<boolean> =>
  (await jobsOf(system).countDocuments({ state: 'running' })) === 0;

const attribute = ({ custom }: Custom, name: string): number => custom.find(({ k }) => k === name)?.v ?? 0;

/** What the profiles say, against the tables and the counts of the jobs. */
const judge = async (system: System, warehouses: readonly Warehouse[]): Promise<string[]> => {
  const broken: string[] = [];
  const values = new Map((await Promise.all(warehouses.map((one) => one.values()))).flat());
  const people = await system.mongo
    .collection<Custom>('profiles')
    .find({}, { projection: { external_id: 1, custom: 1 } })
    .toArray();
  if (people.length !== values.size) broken.push(`${people.length} people for ${values.size} rows`);
  const stale = people.filter((one) => attribute(one, 'value') !== values.get(one.external_id)).length;
  if (stale > 0) broken.push(`${stale} people have another value than their rows`);
  const still = people.filter(({ external_id }) => values.get(external_id) === 0);
  const twice = still.filter((one) => attribute(one, 'applied') > 1).length;
  if (twice > 0) broken.push(`${twice} rows that never changed were applied twice`);
  const applied = people.reduce((sum, one) => sum + attribute(one, 'applied'), 0);
  const jobs = await jobsOf(system).find({}).toArray();
  const counted = jobs.reduce((sum, { synced }) => sum + synced, 0);
  if (applied !== counted) broken.push(`${counted} rows are counted, and ${applied} were applied`);
  const bad = jobs.filter(({ state, failed }) => state !== 'success' || failed > 0);
  if (bad.length > 0) broken.push(`jobs ended as ${bad.map(({ state }) => state).join(', ')}`);
  return broken;
};

const attempt = async (trial: Trial, main: string): Promise<Findings> => {
  const { rows, kills: wanted, pausedMs, patienceMs: usualMs } = sizes[trial.quick ? 'quick' : 'full'];
  const patienceMs = patienceOf(trial, usualMs);
  const warehouses = await openWarehouses(rows);
  trial.atEnd(() => Promise.all(warehouses.map((one) => one.close())));
  const credential = ({ kind }: Warehouse) => `ROSTER_CREDENTIAL_${kind.toUpperCase()}`;
  const system = await trial.system({
    services: ['ingress', 'track', 'integrations'],
    workers: { integrations: 2 },
    instead: { track: 'track-impatient', integrations: main },
    env: Object.fromEntries(warehouses.map((one) => [credential(one), one.url])),
  });
  const connections = warehouses.map((one) => ({
    id: one.kind,
    kind: one.kind,
    url: { env: credential(one) },
    tls: 'off',
  }));
  const client = await system.newWorkspace('syncer', { integrations: { connections } });
  const { post } = createCaller(client, 'sync');
  const create = async ({ kind: connection }: Warehouse): Promise<string> => {
    const body = { integration_name: connection, connection, table: 'feed', data: 'attributes' };
    const { body: made } = await post('/cdi/integrations', body);
    return `/cdi/integrations/${made.integration_id}/sync`;
  };
  const syncs = await Promise.all(warehouses.map(create));
  const begin = () => Promise.all(syncs.map((path) => post(path, {})));
  await begin();
  const changing = warehouses.map((one) => one.keepChanging());
  let [synced, over] = [0, false];
  const look = async (): Promise<boolean> => {
    const jobs = await jobsOf(system).find({}).toArray();
    synced = jobs.reduce((sum, job) => sum + job.synced, 0);
    return jobs.length === warehouses.length && isOver(system);
  };
  const [first = '', second = ''] = system.processesOf('integrations');
  const victims = trial.quick
    ? [first, second, 'redis']
    : [first, 'track', second, 'redis', first, second, 'mongod'];
  const killing = killAlong(system, victims, wanted, () => (over ? 1 : synced / rows));
  const ended = await until(patienceMs, look, 100);
  over = true;
  const kills = await killing;
  await Promise.all(changing.map((stop) => stop()));
  // One that is paused for longer than its lease, in the middle of the next sync.
  await begin();
  const [again] = await Promise.all([
    until(patienceMs, () => isOver(system), 100),
    freeze(system, first, pausedMs),
  ]);
  await begin();
  const last = await until(patienceMs, () => isOver(system), 100);
  const figures = { rows, kills, synced };
  if (ended === undefined || again === undefined || last === undefined)
    return { figures, broken: ['a job has not ended'] };
  return { figures, broken: await judge(system, warehouses) };
};

export const sync = faultOf(attempt, 'integrations-impatient', 'integrations-forgetful', {
  name: 'sync',
  title:
    'tables of PostgreSQL and MariaDB are synced by two processes that are killed and paused while rows change: each version of a row once, the last one stays, counts are exact',
  without: 'requests of a process that died are sent under new stamps',
  breaks: /were applied twice/,
});
