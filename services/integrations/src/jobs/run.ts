/** One job, from its cursor to the end of the table. */
import { judgeSettingsOf, type WorkspaceSettings } from '@roster/access';
import {
  endJob,
  type JudgeRows,
  later,
  lookBackOf,
  openRowLog,
  openTable,
  type Places,
  readCursor,
  settingsOf,
  type Table,
} from '@roster/integrations';
import { type Cursor, inThisProcess, type PageRow, type Sources } from '@roster/sources';
import type { IntegrationDocument, SettingsOf, Store } from '@roster/store';
import { type Behind, createBehind } from './behind.ts';
import { type Collector, createCollector, start } from './collector.ts';
import { type Diff, openDiff } from './diff.ts';
import { createFlow, type Flow } from './flow.ts';
import { forgetStale } from './forget.ts';
import { countsOnce } from './gone.ts';
import { createLateRows, type LateRows } from './late-rows.ts';
import { type Layouts, openLayouts } from './layouts.ts';
import { type Lease, LeaseLost } from './lease.ts';
import { loadMemory } from './memory.ts';
import { removeGone } from './removal.ts';
import { loadRetries, type Retries } from './retries.ts';
import { type JobLog, openJobLog } from './row-log.ts';
import { createSameRow } from './same-row.ts';
import type { Sender } from './sender.ts';
import { forgetRows } from './window.ts';

const page = { pageRows: 1_000, pageBytes: 1024 * 1024 };

/** Of progress through rows that are known, and of what need not be remembered any more. */
const saveEveryMs = 5_000;

export interface RunOptions {
  store: Store;
  sender: Sender;
  judgeRows: JudgeRows;
  settingsOf: SettingsOf<WorkspaceSettings>;
  places: Places;
  /** For one job, of the connection that is named; drivers run in this process unless told. */
  sourcesOf?(connection: string): Sources;
  syncs(): number;
}

/** In diff mode. */
const isWhole = ({ layout }: Table): boolean => layout.updatedAt === undefined;

/** Where reading begins: a window before the cursor, but not before what is remembered. */
const startOf = ({ source }: Table, integration: IntegrationDocument): Cursor | undefined => {
  const cursor = readCursor(integration.cursor);
  if (!cursor) return undefined;
  const before = source.lookBack(cursor, lookBackOf(integration));
  return later(before, readCursor(integration.floor));
};

interface Reading {
  lease: Lease;
  since: Cursor | undefined;
  collector: Collector;
  flow: Flow;
  diff: Diff | undefined;
  late: LateRows;
  forget(): Promise<void>;
}

const readAll = async ({ source }: Table, reading: Reading): Promise<void> => {
  const { lease, since, collector, flow, diff, late, forget } = reading;
  const asked = { since, ...page, signal: lease.signal, rest: flow.rest, late: late.count };
  let savedAt = performance.now();
  const put = async (): Promise<void> => {
    const collected = collector.take(diff?.isChanged());
    if (collected) await flow.put({ ...collected, ...diff?.take() });
  };
  const add = async (found: PageRow): Promise<void> => {
    const row = diff ? await diff.meet(found, put) : found;
    if (!collector.add(row)) {
      await put();
      collector.add(row);
    }
    if (collector.isFull() || diff?.isFull()) await put();
  };
  for await (const { rows } of source.pages(asked)) {
    await late.save();
    for (const row of rows) await add(row);
    await flow.rest();
    lease.assertHeld();
    if (performance.now() - savedAt < saveEveryMs) continue;
    await put();
    await forget();
    savedAt = performance.now();
  }
  await late.save();
  await diff?.end(put);
  await put();
};

/** Before anything is read: what begins later, or was open then, writes rows that are looked for again. */
const begin = async (
  { syncs }: Pick<Store, 'syncs'>,
  { job, mine, signal }: Lease,
  { source }: Table,
  { since, diff, open }: { since: Cursor | undefined; diff: Diff | undefined; open: Date | undefined },
): Promise<void> => {
  if (job.open) return;
  const asked = Date.now();
  const { lag = 0, now } = await source.clock(signal, open && (asked - open.getTime()) / 1000);
  job.open = new Date(asked - lag * 1000);
  const isEstimated = !diff || diff.before === 0;
  // A figure for people who look: the job goes on without it.
  const expected = isEstimated ? await source.estimate(since, signal).catch(() => undefined) : undefined;
  // As with the estimate: a view may take too long for it. Then people are told that it is not known.
  const missed = source.missed?.(since, undefined, signal).catch(() => ({ uncounted: true as const }));
  const { timeless, uncounted }: { timeless?: number | undefined; uncounted?: true } = (await missed) ?? {};
  const $set = {
    open: job.open,
    ...(now !== undefined && { now }),
    ...(timeless && { timeless }),
    ...(uncounted && { uncounted }),
    ...(expected !== undefined && { expected }),
  };
  await syncs.jobs.updateOne(mine, { $set });
};

/** Nothing is sent any more when the job is given back. */
const withTable = async (
  opening: Parameters<typeof openTable>[0],
  sending: Behind,
  use: (table: Table) => Promise<void>,
): Promise<void> => {
  const table = await openTable(opening);
  try {
    await use(table);
  } finally {
    // The job has failed with it.
    await sending.ended().catch(() => {});
    await table.source.close();
  }
};

interface Sync {
  lease: Lease;
  integration: IntegrationDocument;
  table: Table;
  log: JobLog;
  sending: Behind;
}

const memoryOf = (integration: IntegrationDocument, layouts: Layouts) => ({
  replaces: createSameRow(integration).replaces,
  countsOnce: countsOnce(integration),
  layouts,
});

interface Opening {
  store: Store;
  integration: IntegrationDocument;
  table: Table;
  layouts: Layouts;
  retries: Retries;
  since: Cursor | undefined;
}

const openWhole = async (opening: Opening): Promise<Diff | undefined> => {
  const { table, retries, since } = opening;
  if (!isWhole(table)) return undefined;
  return openDiff({ ...opening, layout: table.layout, hasFailed: retries.isWaiting, from: since?.key });
};

const openCollector = async (
  { store, integration, table, layouts, since }: Opening,
  diff: Diff | undefined,
) => {
  const known = diff ?? (await loadMemory(store, integration._id, memoryOf(integration, layouts)));
  const { replaces } = createSameRow(integration);
  return createCollector({ layout: table.layout, data: integration.data, known, since, layouts, replaces });
};

export const createRunJob = (options: RunOptions) => {
  const { store, settingsOf: workspaceOf, places, sourcesOf = () => inThisProcess } = options;

  const sync = async ({ lease, integration, table, log, sending }: Sync): Promise<void> => {
    const [{ job }, { layout }] = [lease, table];
    const settings = judgeSettingsOf(await workspaceOf(job.ws));
    await forgetStale(store, lease, integration);
    const sameRow = createSameRow(integration);
    const retries = await loadRetries(store, integration, sameRow);
    const layouts = await openLayouts(store, lease, integration, table);
    const sent = { data: integration.data, layout: layouts.name, retries, sameRow, log, sending };
    const flow = createFlow({ ...options, lease, settings, ...sent });
    await flow.adopt();
    const since = readCursor(job.cursor) ?? (isWhole(table) ? undefined : startOf(table, integration));
    const opening = { store, integration, table, layouts, retries, since };
    const diff = await openWhole(opening);
    await begin(store, lease, table, { since, diff, open: integration.open });
    const to = since ?? (diff ? start : readCursor(integration.cursor));
    // Not those that failed in this job, which has read rows already when it is taken over.
    if (to && job.cursor === undefined)
      for await (const request of retries.requests(job.again)) await flow.put({ ...request, to });
    await flow.settled();
    const collector = await openCollector(opening, diff);
    const forget = async (): Promise<void> =>
      diff ? undefined : forgetRows(store, table.source, lease, integration);
    const late = createLateRows(store, lease, integration.open);
    await readAll(table, { lease, since, collector, flow, diff, late, forget });
    await flow.settled();
    await forget();
    const reason =
      diff && (await removeGone({ store, lease, integration, layout, flow, found: diff.gone() }));
    await flow.settled();
    const ended = await store.transact((session) =>
      endJob(store, { job: job._id, token: job.token, how: 'finished', reason, session }),
    );
    if (!ended) throw new LeaseLost();
  };

  return async (lease: Lease): Promise<void> => {
    const { job } = lease;
    const integration = await store.syncs.integrations.findOne({ _id: job.integration, job: job._id });
    if (!integration) throw new LeaseLost();
    const settings = settingsOf(integration);
    const { integrations: own } = await workspaceOf(job.ws);
    const connection = own.connections.find(({ id }) => id === settings.connection);
    const sources = sourcesOf(`${job.ws}/${settings.connection}`);
    const opening = { connection, settings, sources, ...places };
    const log = await openJobLog({ store, lease, integration, openLog: () => openRowLog(opening) });
    const sending = createBehind();
    try {
      await withTable({ ...opening, data: integration.data }, sending, (table) =>
        sync({ lease, integration, table, log, sending }),
      );
    } finally {
      log.close();
      await sources.close();
    }
  };
};
