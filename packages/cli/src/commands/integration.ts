/** Data integrations: `roster integration create | test | run | pause | resume | list | rows`. */
import type { SyncJobDocument } from '@roster/store';
import { recordIntegration } from '../audited.ts';
import { type Family, type WorkspaceTools, wholeNumber } from '../command.ts';
import { credentialCommand } from '../credential.ts';
import { createIntegration } from '../integration/create.ts';
import { followJob, progressOf } from '../integration/follow.ts';
import { testIntegration } from '../integration/test-integration.ts';
import { failed, missing, type Result } from '../result.ts';
import { number, plain, table } from '../shown.ts';
import { named } from '../suggest.ts';

interface Options {
  job?: string;
  wait: boolean;
  most: number;
}

const integrationIn = async ({ store: { syncs }, ws }: WorkspaceTools, id: string) => {
  const all = await syncs.integrations.find({ ws }).toArray();
  return named(
    all.map((one) => ({ ...one, id: one._id })),
    id,
    { what: `the workspace ${ws} has no integration`, otherwise: '"roster integration list" shows them.' },
  );
};

const list = async ({ store: { syncs }, io, ws }: WorkspaceTools): Promise<Result> => {
  const found = await syncs.integrations.find({ ws }, { sort: { created: 1 } }).toArray();
  const running = await syncs.jobs.find({ ws, state: 'running' }).toArray();
  const progress = new Map(running.map((job) => [job._id, progressOf(job, io.now())]));
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
    text: table(rows, plain('id', 'name', 'data', 'source', 'state', 'last_job', 'progress', 'synced_to')),
  };
};

const test = async (tools: WorkspaceTools, id: string): Promise<Result> =>
  testIntegration(tools, await integrationIn(tools, id));

const run = async (tools: WorkspaceTools, id: string, options: Options): Promise<Result> => {
  await integrationIn(tools, id);
  const { ws, store } = tools;
  const { idFrom } = await import('@roster/store');
  const { beginJob } = await import('@roster/integrations');
  const origin = `cli ${id} ${tools.io.now().toISOString()}`;
  const now = tools.io.now();
  const n = now.getTime() * 1000;
  const begun = await store.transact(async (session) => {
    const outcome = await beginJob(store, ws, { integration: id, origin, n, session });
    if (outcome === 'begun')
      await recordIntegration(store, { ws, deed: 'synced', integration: id, now }, session);
    return outcome;
  });
  if (begun === 'running')
    throw failed('another job is in progress; "roster integration list" shows its state');
  if (begun === 'paused') throw failed(`the integration is paused: "roster integration resume ${id}"`);
  const job = idFrom('sync job', origin);
  if (!options.wait) return { json: { job }, text: `job ${job} has begun\n` };
  return followJob(tools, job);
};

const setPaused =
  (paused: boolean) =>
  async (tools: WorkspaceTools, id: string): Promise<Result> => {
    const { ws, store } = tools;
    const { job } = await integrationIn(tools, id);
    const { endJob } = await import('@roster/integrations');
    const deed = paused ? 'paused' : 'resumed';
    await store.transact(async (session) => {
      const reason = 'the integration was paused';
      if (paused && job !== undefined) await endJob(store, { job, how: 'stopped', reason, session });
      const change = paused ? { $set: { paused: true as const } } : { $unset: { paused: 1 as const } };
      await store.models.integrations.updateOne({ _id: id, ws }, change, { session });
      await recordIntegration(store, { ws, deed, integration: id, now: tools.io.now() }, session);
    });
    return { json: { id, paused }, text: `${id} is ${paused ? 'paused' : 'active again'}\n` };
  };

const lastJob = async ({ store }: WorkspaceTools, integration: string): Promise<SyncJobDocument> => {
  const found = await store.syncs.jobs.findOne({ integration }, { sort: { n: -1 } });
  if (!found) throw missing(`the integration ${integration} has no jobs yet`);
  return found;
};

const rows = async (tools: WorkspaceTools, id: string, options: Options): Promise<Result> => {
  await integrationIn(tools, id);
  const job = options.job ?? (await lastJob(tools, id))._id;
  const found = await tools.store.syncs.rows
    .find(
      { _id: { $gt: `${job}/`, $lt: `${job}0` }, integration: id },
      { sort: { _id: 1 }, limit: options.most },
    )
    .toArray();
  return {
    json: found.map(({ reason, updated_at, row, request }) => ({ reason, updated_at, row, request })),
    text:
      found.length > 0
        ? table(found, { ...plain('reason', 'updated_at'), ROW: ({ row }) => row.slice(0, 200) })
        : `job ${job}: no row failed\n`,
    notes: [found.length === options.most && `the first ${number(found.length)}; --most shows more`],
  };
};

const help = `
An integration is a YAML or JSON file, with the members of POST /cdi/integrations. Its connection stands in the file of the workspace:

  integrations:
    connections:
      - { id: warehouse, kind: postgresql, url: { file: warehouse } }
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
  $ echo "postgresql://name:password@host/database" | roster integration credential warehouse
  $ roster integration create customers.yaml
  $ roster integration test <id>
  $ roster integration run <id>
  $ roster integration rows <id>`;

const workspace = 'the workspace of the integration';

export const integrationCommands: Family = {
  about: 'data integrations: tables and files whose rows become profiles',
  example: 'roster integration create customers.yaml',
  help,
  commands: {
    list: { about: 'all integrations', workspace, run: list },
    'create <file>': { about: 'makes one', workspace, run: createIntegration },
    'test <id>': {
      about: 'reads its source: says in words what is wrong, or shows three rows as they would be sent',
      workspace,
      run: test,
    },
    'run <id>': {
      about: 'syncs it now, and waits for the end',
      workspace,
      flags: { '--no-wait': 'only begins' },
      run,
    },
    'pause <id>': { about: 'syncs it no more', workspace, run: setPaused(true) },
    'resume <id>': { about: 'syncs it again', workspace, run: setPaused(false) },
    'rows <id>': {
      about: 'the rows that failed in its last job',
      workspace,
      flags: { '--job <id>': 'of this job', '--most <number>': wholeNumber('so many', [1, 10_000], 100) },
      run: rows,
    },
    ...credentialCommand,
  },
};
