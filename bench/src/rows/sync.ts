// Rows of a table of events, and of a file, from there to committed, beside `roster import` of the same rows; and live traffic beside a sync.
import { execFile } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Body } from '@roster/client';
import type { Store } from '@roster/store';
import { startPostgresql } from '@roster/testkit';
import { parquetWriteFile } from 'hyparquet-writer';
import { Client } from 'pg';
import type { Bench, Setting } from '../bench.ts';
import { command } from '../child.ts';
import { type Cost, costOf } from '../cost.ts';
import { cpuAgainst, rateAgainst } from '../cost-figures.ts';
import { residentMegabytes } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { inTurns } from '../in-turns.ts';
import { residents } from '../load/bodies.ts';
import { freshEvents } from '../load/spec.ts';
import { changeSettings, openStoreOf } from '../store.ts';

const run = promisify(execFile);

/** Everybody in turn, and nobody's events one after the other. */
const stride = 7919;
const firstMs = Date.UTC(2026, 0, 1);

const openWarehouse = async ({ atEnd }: Setting) => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-bench-warehouse-'));
  atEnd(() => rmSync(dir, { recursive: true, force: true }));
  const server = await startPostgresql({ dir });
  atEnd(server.stop);
  const db = new Client(server.url);
  await db.connect();
  atEnd(() => db.end());
  return {
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
  };
};

type Warehouse = Awaited<ReturnType<typeof openWarehouse>>;

const rowOf = (n: number) => ({
  external_id: `${residents.prefix}${(n * stride) % residents.count}`,
  name: 'page_viewed',
  time: new Date(firstMs + n).toISOString(),
  properties: { path: '/pricing', position: n % 100 },
});

const rowsUpTo = (rows: number) => Array.from({ length: rows }, (_, n) => rowOf(n + 1));

function* lines(rows: number) {
  for (let n = 1; n <= rows; n++) yield `${JSON.stringify({ type: 'event', ...rowOf(n) })}\n`;
}

function* csvLines(rows: number) {
  yield 'external_id,name,time,path,position\n';
  for (const { external_id, name, time, properties } of rowsUpTo(rows))
    yield `${external_id},${name},${time},${properties.path},${properties.position}\n`;
}

/** The same rows in files of each format. */
const files = {
  ndjson: (path: string, rows: number) => pipeline(Readable.from(lines(rows)), createWriteStream(path)),
  csv: (path: string, rows: number) => pipeline(Readable.from(csvLines(rows)), createWriteStream(path)),
  async parquet(path: string, rows: number) {
    const all = rowsUpTo(rows);
    const column = (name: string, type: 'STRING' | 'INT32' | 'TIMESTAMP', cell: (row: Row) => unknown) => ({
      name,
      type,
      data: all.map(cell),
    });
    parquetWriteFile({
      filename: path,
      rowGroupSize: rowsOfGroup,
      columnData: [
        column('external_id', 'STRING', (row) => row.external_id),
        column('name', 'STRING', (row) => row.name),
        column('time', 'TIMESTAMP', (row) => new Date(row.time)),
        column('path', 'STRING', ({ properties }) => properties.path),
        column('position', 'INT32', ({ properties }) => properties.position),
      ],
    });
  },
};

type Format = keyof typeof files;

const formats = ['ndjson', 'csv', 'parquet'] as const satisfies readonly Format[];

const sources = ['PostgreSQL', 'NDJSON', 'CSV', 'Parquet'] as const;

type From = (typeof sources)[number];

type Row = ReturnType<typeof rowOf>;

/** As writers of Parquet usually have it. */
const rowsOfGroup = 100_000;

/** Until everything is committed. Each run has its own name: the same requests again would be applied no second time. */
const importRows = async (
  { system }: Setting,
  { requests }: Store,
  { file, rows }: { file: string; rows: number },
): Promise<number> => {
  const env = { ...process.env, ROSTER_URL: new URL(system.trackUrl).origin, ROSTER_API_KEY: system.apiKey };
  const before = await requests.estimatedDocumentCount();
  const args = [command, 'import', file, '--restart', '--run', String(Date.now())];
  await run(process.execPath, args, { env, maxBuffer: 10_000_000 });
  await system.quiet();
  if ((await requests.estimatedDocumentCount()) === before) throw new Error('the import changed nothing');
  return rows;
};

type Rows = Omit<Body<'cdi.integration_create'>, 'integration_name' | 'data'>;

const ofTable = (table: string): Rows => ({
  connection: 'warehouse',
  table,
  key: 'id',
  columns: { name: 'name', path: 'path', position: 'position' },
});

const ofFile = (format: Format): Rows => ({
  connection: format,
  updated_at: 'time',
  columns:
    format === 'ndjson'
      ? { name: 'name', properties: 'properties' }
      : { name: 'name', path: 'path', position: 'position' },
});

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

const connect = (setting: Setting, store: Store, { url }: Warehouse): Promise<void> => {
  writeFileSync(join(setting.system.credentials, 'bench-warehouse'), url);
  const connections = [
    { id: 'warehouse', kind: 'postgresql', url: { file: 'bench-warehouse' }, tls: 'off' },
    ...formats.map((format) => ({ id: format, kind: 'files', folder: format, format })),
  ];
  return changeSettings(setting, store, { integrations: { connections } });
};

const measure = async (setting: Setting): Promise<Figure[]> => {
  const store = await openStoreOf(setting);
  const warehouse = await openWarehouse(setting);
  await connect(setting, store, warehouse);
  const rows = setting.quick ? 10_000 : 100_000;
  const file = join(setting.system.dir, 'events.ndjson');
  await files.ndjson(file, rows);
  const yardstick = 'roster import';
  const megabytes: number[] = [];
  const pids = setting.system.allPids();
  const fromTable = async (n: number): Promise<Cost> => {
    const table = `clicks_${n + 1}`;
    await warehouse.fill(table, rows);
    let most = 0;
    const cost = await costOf(pids, () =>
      syncRows(setting, store, ofTable(table), (seen) => {
        most = Math.max(most, seen);
      }),
    );
    if (n >= 0) megabytes.push(most);
    return cost;
  };
  const fromFile = async (format: Format): Promise<Cost> => {
    const folder = join(setting.system.files, format);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    await files[format](join(folder, `events.${format}`), rows);
    return costOf(pids, () => syncRows(setting, store, ofFile(format)));
  };
  const pairs = await inTurns<Record<From, Cost>, Cost>(setting.runs, {
    ours: async (n) => ({
      PostgreSQL: await fromTable(n),
      NDJSON: await fromFile('ndjson'),
      CSV: await fromFile('csv'),
      Parquet: await fromFile('parquet'),
    }),
    bare: () => costOf(pids, () => importRows(setting, store, { file, rows })),
  });
  const from = (source: From) => pairs.map(({ ours, bare }) => ({ ours: ours[source], bare }));
  await warehouse.fill('beside', 20 * rows);
  const shares: number[] = [];
  for (let n = 0; n < setting.runs; n++) shares.push(await beside(setting, store, 'beside'));
  return [
    ...sources.map((source) =>
      rateAgainst({
        work: `${rows.toLocaleString('en')} rows of events a second, from ${source} to committed`,
        yardstick,
        bar: { atLeast: 1.5 },
        pairs: from(source),
      }),
    ),
    cpuAgainst({
      work: 'CPU a row, everything but PostgreSQL and the import',
      yardstick,
      bar: undefined,
      pairs: from('PostgreSQL'),
    }),
    {
      work: `memory of the integrations process, ${rows.toLocaleString('en')} rows of events`,
      unit: 'MB',
      bar: { atMost: 250 },
      runs: megabytes,
    },
    { work: 'rate of callers beside a sync', unit: 'of alone', bar: { atLeast: 0.9 }, runs: shares },
  ];
};

export const sync: Bench = { name: 'sync', measure };
