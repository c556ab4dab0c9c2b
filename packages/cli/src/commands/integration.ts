/** Data integrations: `roster integration create | test | run | pause | resume | list | rows`. */
import type { WorkspaceSettings } from '@roster/access';
import type { IntegrationDocument, SyncJobDocument, SyncRowDocument } from '@roster/store';
import type { Command } from 'commander';
import { parse } from 'yaml';
import type { Act, Tools } from '../act.ts';
import { createIntegration } from '../integration/create.ts';
import { followJob, progressOf } from '../integration/follow.ts';
import { testIntegration } from '../integration/test-integration.ts';
import { failed, missing, type Result } from '../result.ts';
import { number, table } from '../shown.ts';
import { didYouMean } from '../suggest.ts';
import { unreadable } from '../unreadable.ts';
import { wholeNumber } from '../whole-number.ts';
import { chosenWorkspace, workspaceOf } from './workspace.ts';

interface Options {
  workspace?: string;
  job?: string;
  wait: boolean;
  most: number;
}

const settingsOf = async (
  { servers }: Tools,
  options: Pick<Options, 'workspace'>,
): Promise<WorkspaceSettings> => workspaceOf(servers, await chosenWorkspace(servers, options));

const integrationIn = async ({ servers }: Tools, ws: string, id: string): Promise<IntegrationDocument> => {
  const { syncs } = await servers.store();
  const found = await syncs.integrations.findOne({ _id: id, ws });
  if (found) return found;
  const ids = (await syncs.integrations.find({ ws }, { projection: { _id: 1 } }).toArray()).map(
    ({ _id }) => _id,
  );
  throw missing(
    `the workspace ${ws} has no integration ${id}. ${didYouMean(id, ids, '"roster integration list" shows them.')}`,
  );
};

const list = async (tools: Tools, options: Options): Promise<Result> => {
  const ws = await chosenWorkspace(tools.servers, options);
  const { syncs } = await tools.servers.store();
  const found = await syncs.integrations.find({ ws }, { sort: { created: 1 } }).toArray();
  const running = await syncs.jobs.find({ ws, state: 'running' }).toArray();
  const progress = new Map(running.map((job) => [job._id, progressOf(job, tools.io.now())]));
  const rows = found.map(({ _id, name, data, warehouse, state, paused, last_state, cursor, job }) => ({
    id: _id,
    name,
    data,
    source: warehouse,
    state: paused ? 'paused' : state,
    last_job: last_state ?? null,
    progress: progress.get(job ?? '') ?? null,
    synced_to: cursor === undefined ? null : (JSON.parse(cursor).updatedAt as string),
  }));
  return {
    json: rows,
    text: table(
      ['ID', 'NAME', 'DATA', 'SOURCE', 'STATE', 'LAST JOB', 'PROGRESS', 'SYNCED TO'],
      rows.map((row) => Object.values(row).map((value) => value ?? '-')),
    ),
  };
};

const bodyIn = ({ io }: Tools, file: string): unknown => {
  try {
    return parse(io.readText(file));
  } catch (error) {
    throw unreadable(file, error);
  }
};

const create = async (tools: Tools, file: string, options: Options): Promise<Result> => {
  const settings = await settingsOf(tools, options);
  const id = await createIntegration(
    await tools.servers.store(),
    settings,
    bodyIn(tools, file),
    tools.io.now(),
  );
  return {
    json: { id },
    text: `${id}\n`,
    notes: [
      `It is a draft. Try it with "roster integration test ${id}", then "roster integration run ${id}".`,
    ],
  };
};

const test = async (tools: Tools, id: string, options: Options): Promise<Result> => {
  const settings = await settingsOf(tools, options);
  return testIntegration(tools, settings, await integrationIn(tools, settings.id, id));
};

const run = async (tools: Tools, id: string, options: Options): Promise<Result> => {
  const ws = await chosenWorkspace(tools.servers, options);
  await integrationIn(tools, ws, id);
  const store = await tools.servers.store();
  const { idFrom } = await import('@roster/store');
  const { beginJob } = await import('@roster/integrations');
  const origin = `cli ${id} ${tools.io.now().toISOString()}`;
  const n = tools.io.now().getTime() * 1000;
  const begun = await store.transact((session) =>
    beginJob(store, ws, { integration: id, origin, n, session }),
  );
  if (begun === 'running')
    throw failed('another job is in progress; "roster integration list" shows its state');
  if (begun === 'paused') throw failed(`the integration is paused: "roster integration resume ${id}"`);
  const job = idFrom('sync job', origin);
  if (!options.wait) return { json: { job }, text: `job ${job} has begun\n` };
  return followJob(tools, job);
};

const setPaused =
  (paused: boolean) =>
  async (tools: Tools, id: string, options: Options): Promise<Result> => {
    const ws = await chosenWorkspace(tools.servers, options);
    const { job } = await integrationIn(tools, ws, id);
    const store = await tools.servers.store();
    const { endJob } = await import('@roster/integrations');
    await store.transact(async (session) => {
      const reason = 'the integration was paused';
      if (paused && job !== undefined) await endJob(store, { job, how: 'stopped', reason, session });
      const change = paused ? { $set: { paused: true as const } } : { $unset: { paused: 1 as const } };
      await store.syncs.integrations.updateOne({ _id: id, ws }, change, { session });
    });
    return { json: { id, paused }, text: `${id} is ${paused ? 'paused' : 'active again'}\n` };
  };

const lastJob = async (tools: Tools, integration: string): Promise<SyncJobDocument> => {
  const { syncs } = await tools.servers.store();
  const found = await syncs.jobs.findOne({ integration }, { sort: { n: -1 } });
  if (!found) throw missing(`the integration ${integration} has no jobs yet`);
  return found;
};

const rowLine = ({ reason, updated_at, row }: SyncRowDocument): string[] => [
  reason,
  updated_at ?? '-',
  row.slice(0, 200),
];

const rows = async (tools: Tools, id: string, options: Options): Promise<Result> => {
  const ws = await chosenWorkspace(tools.servers, options);
  await integrationIn(tools, ws, id);
  const job = options.job ?? (await lastJob(tools, id))._id;
  const { syncs } = await tools.servers.store();
  const found = await syncs.rows
    .find(
      { _id: { $gt: `${job}/`, $lt: `${job}0` }, integration: id },
      { sort: { _id: 1 }, limit: options.most },
    )
    .toArray();
  return {
    json: found.map(({ reason, updated_at, row, request }) => ({ reason, updated_at, row, request })),
    text:
      found.length > 0
        ? table(['REASON', 'UPDATED AT', 'ROW'], found.map(rowLine))
        : `job ${job}: no row failed\n`,
    notes: found.length === options.most ? [`the first ${number(found.length)}; --most shows more`] : [],
  };
};

const help = `
An integration is a YAML or JSON file, with the members of POST /cdi/integrations. Its connection stands in the file of the workspace:

  integrations:
    connections:
      - { id: warehouse, kind: postgresql, url: { env: ROSTER_CREDENTIAL_WAREHOUSE } }
      - { id: exports, kind: files, folder: shop, format: csv }
      - { id: lake, kind: bigquery, credentials: { file: bigquery.json } }

  customers.yaml:
    integration_name: Customers
    connection: warehouse
    table: customers
    data: attributes
    schedule: { every: 15_minutes }

The integrations service reads credentials where it runs, "test" where you are. docs/integrations.md has all kinds of connections.

Examples:
  $ roster integration create customers.yaml
  $ roster integration test <id>
  $ roster integration run <id>
  $ roster integration rows <id>`;

export const addIntegrationCommands = (program: Command, act: Act): void => {
  const family = program
    .command('integration')
    .description('data integrations: tables and files whose rows become profiles')
    .addHelpText('after', help);
  const command = (words: string, description: string): Command =>
    family
      .command(words)
      .description(description)
      .option('--workspace <id>', 'the workspace of the integration');
  command('list', 'all integrations').action(act(list));
  command('create <file>', 'makes one').action(act(create));
  command(
    'test <id>',
    'reads its source: says in words what is wrong, or shows three rows as they would be sent',
  ).action(act(test));
  command('run <id>', 'syncs it now, and waits for the end')
    .option('--no-wait', 'only begins')
    .action(act(run));
  command('pause <id>', 'syncs it no more').action(act(setPaused(true)));
  command('resume <id>', 'syncs it again').action(act(setPaused(false)));
  command('rows <id>', 'the rows that failed in its last job')
    .option('--job <id>', 'of this job')
    .option('--most <number>', 'so many', wholeNumber(1, 10_000), 100)
    .action(act(rows));
};
