// Rows of a table of events, and of a file, from there to committed, beside `roster import` of the same rows; and live traffic beside a sync.
import { execFile } from 'node:child_process';
import { copyFileSync, createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Body } from '@roster/client';
import { startPostgresql } from '@roster/local-stack';
import { openStore, type Store } from '@roster/store';
import { Client } from 'pg';
import type { Bench, Setting } from '../bench.ts';
import { command } from '../command.ts';
import { type Cost, costOf } from '../cost.ts';
import { cpuAgainst, rateAgainst } from '../cost-figures.ts';
import { residentMegabytes } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { inTurns } from '../in-turns.ts';
import { residents } from '../load/bodies.ts';
import { freshEvents } from '../load/fresh.ts';

const run = promisify(execFile);

/** Everybody in turn, and nobody's events one after the other. */
const stride = 7919;
const firstMs = Date.UTC(2026, 0, 1);

const openWarehouse = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-bench-warehouse-'));
  const server = await startPostgresql({ dir });
  const db = new Client(server.url);
  await db.connect();
  return {
    dir,
    url: server.url,
    /** A table of its own for each run, as a nightly job of a warehouse would leave it. */
    async fill(table: string, rows: number): Promise<void> {
      await db.query(
        `CREATE TABLE ${table} AS SELECT n AS id, $1 || (n::int8 * ${stride} % $2::int) AS external_id, 'page_viewed' AS name, '/pricing' AS path,
         n % 100 AS position, to_timestamp($3::float8 / 1000) + n * interval '1 millisecond' AS updated_at FROM generate_series(1, $4::int) n`,
        [residents.prefix, residents.count, firstMs, rows],
      );
      await db.query(`CREATE INDEX ON ${table} (updated_at, id)`);
      // As PostgreSQL does by itself within a minute. Before it, the planner sorts the whole table.
      await db.query(`VACUUM ANALYZE ${table}`);
    },
    async close(): Promise<void> {
      await db.end();
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

type Warehouse = Awaited<ReturnType<typeof openWarehouse>>;

function* lines(rows: number) {
  for (let n = 1; n <= rows; n++) {
    const external_id = `${residents.prefix}${(n * stride) % residents.count}`;
    const time = new Date(firstMs + n).toISOString();
    const properties = { path: '/pricing', position: n % 100 };
    yield `${JSON.stringify({ type: 'event', external_id, name: 'page_viewed', time, properties })}\n`;
  }
}

/** Until everything is committed. */
const importRows = async ({ system }: Setting, file: string, rows: number): Promise<number> => {
  const env = { ...process.env, ROSTER_URL: new URL(system.trackUrl).origin, ROSTER_API_KEY: system.apiKey };
  await run(process.execPath, [command, 'import', file], { env, maxBuffer: 10_000_000 });
  await system.quiet();
  return rows;
};

type Rows = Omit<Body<'cdi.integration_create'>, 'integration_name' | 'data'>;

const ofTable = (table: string): Rows => ({
  connection: 'warehouse',
  table,
  key: 'id',
  columns: { name: 'name', path: 'path', position: 'position' },
});

/** The lines that are imported, as rows. */
const ofFile: Rows = {
  connection: 'lines',
  updated_at: 'time',
  columns: { name: 'name', properties: 'properties' },
};

const begin = async ({ system: { roster } }: Setting, rows: Rows): Promise<string> => {
  const made = await roster.cdi.integration_create({
    integration_name: 'bench',
    data: 'events',
    ...rows,
  });
  if (!('integration_id' in made)) throw new Error('the integration is not made yet');
  await roster.cdi.integration_sync(made.integration_id);
  return made.integration_id;
};

/** Until everything is committed; tells the most memory that the process had. */
const syncRows = async (
  setting: Setting,
  store: Store,
  rows: Rows,
  seen: (megabytes: number) => void = () => {},
): Promise<number> => {
  const integration = await begin(setting, rows);
  for (;;) {
    seen(residentMegabytes(setting.system.pid('integrations')));
    const job = await store.syncs.jobs.findOne({ integration });
    if (job && job.state !== 'running') {
      if (job.state !== 'success') throw new Error(`the sync ended as ${job.state}: ${job.reason}`);
      return job.synced;
    }
    await sleep(50);
  }
};

/** Requests a second of callers beside a sync, over those without it just before and just after. */
const beside = async (setting: Setting, store: Store, table: string): Promise<number> => {
  const live = async (seconds = setting.seconds): Promise<number> => {
    const report = await setting.load({ connections: 8, seconds, load: freshEvents(residents, 10) });
    return report.answered / report.seconds;
  };
  const before = await live();
  await setting.system.quiet();
  const id = await begin(setting, ofTable(table));
  while (!(await store.syncs.jobs.findOne({ integration: id, synced: { $gt: 0 } }))) await sleep(50);
  // What it had on its way when the callers came takes a second.
  await live(1);
  const during = await live();
  const job = await store.syncs.jobs.findOne({ integration: id });
  if (job?.state !== 'running') throw new Error('the sync was over before the callers were');
  await setting.system.roster.cdi.integration_delete(id);
  await setting.system.quiet();
  return (2 * during) / (before + (await live()));
};

const measureWith = async (setting: Setting, store: Store, warehouse: Warehouse): Promise<Figure[]> => {
  const rows = setting.quick ? 10_000 : 100_000;
  const file = (name: number): string => join(warehouse.dir, `events${name}.ndjson`);
  for (let n = -1; n < setting.runs; n++) {
    await warehouse.fill(`clicks_${n + 1}`, rows);
    await pipeline(Readable.from(lines(rows)), createWriteStream(file(n)));
  }
  const megabytes: number[] = [];
  const pids = setting.system.allPids();
  const pairs = await inTurns<Cost, Cost>(setting.runs, {
    ours: async (n) => {
      let most = 0;
      const cost = await costOf(pids, () =>
        syncRows(setting, store, ofTable(`clicks_${n + 1}`), (seen) => {
          most = Math.max(most, seen);
        }),
      );
      if (n >= 0) megabytes.push(most);
      return cost;
    },
    bare: (n) => costOf(pids, () => importRows(setting, file(n), rows)),
  });
  const ofFiles = await inTurns<Cost, Cost>(setting.runs, {
    ours: async (n) => {
      copyFileSync(file(n), join(setting.system.files, 'lines', 'events.ndjson'));
      return costOf(pids, () => syncRows(setting, store, ofFile));
    },
    bare: (n) => costOf(pids, () => importRows(setting, file(n), rows)),
  });
  await warehouse.fill('beside', 20 * rows);
  const shares: number[] = [];
  for (let n = 0; n < setting.runs; n++) shares.push(await beside(setting, store, 'beside'));
  const sizes = `${rows.toLocaleString('en')} rows of events`;
  const yardstick = 'roster import';
  return [
    rateAgainst({
      work: `${sizes} a second, from PostgreSQL to committed`,
      yardstick,
      bar: { atLeast: 0.8 },
      pairs,
    }),
    rateAgainst({
      work: `${sizes} a second, from a file of NDJSON to committed`,
      yardstick,
      bar: undefined,
      pairs: ofFiles,
    }),
    cpuAgainst({
      work: 'CPU a row, everything but PostgreSQL and the import',
      yardstick,
      bar: undefined,
      pairs,
    }),
    {
      work: `memory of the integrations process, ${sizes}`,
      unit: 'MB',
      bar: { atMost: 250 },
      runs: megabytes,
    },
    { work: 'rate of callers beside a sync', unit: 'of alone', bar: { atLeast: 0.9 }, runs: shares },
  ];
};

const connect = async ({ system }: Setting, { workspaces }: Store, { url }: Warehouse): Promise<void> => {
  writeFileSync(join(system.credentials, 'bench-warehouse'), url);
  const settings = await workspaces.get<{ id: string }>(system.workspace);
  mkdirSync(join(system.files, 'lines'), { recursive: true });
  const connections = [
    { id: 'warehouse', kind: 'postgresql', url: { file: 'bench-warehouse' }, tls: 'off' },
    { id: 'lines', kind: 'files', folder: 'lines', format: 'ndjson' },
  ];
  await workspaces.put({ ...settings, id: system.workspace, integrations: { connections } });
  // Settings are at most five seconds old.
  await sleep(5_500);
};

export const sync: Bench = {
  name: 'sync',
  async measure(setting) {
    const store = await openStore({ url: setting.system.mongoUrl, appName: 'bench' });
    const warehouse = await openWarehouse();
    try {
      await connect(setting, store, warehouse);
      return await measureWith(setting, store, warehouse);
    } finally {
      await warehouse.close();
      await store.close();
    }
  },
};
