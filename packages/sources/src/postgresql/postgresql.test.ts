import { until, usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import type { Limits } from '../bounds.ts';
import { readColumns } from '../open-source.ts';
import { itKeepsItsBounds } from '../server/testbed.ts';
import type { PageRow, Source } from '../source.ts';
import {
  expectKeys,
  expectNoneMissedOrRepeated,
  inShort,
  itReadsByKey,
  itReadsInOrder,
  itTellsRepeatedKeys,
  openTable,
  type Person,
  pagesOf,
  readAll,
} from '../testbed.ts';

describe('PostgreSQL', () => {
  let admin: Client;
  const database = usePostgresql(async (url) => {
    admin = new Client(url);
    await admin.connect();
    return () => admin.end();
  });
  const open = (table = 'people', limits: Partial<Limits> = {}): Source =>
    openTable({ kind: 'postgresql', url: database.url, table }, limits);

  const fill = async (people: readonly Person[]) => {
    await admin.query(
      'DROP TABLE IF EXISTS people; CREATE TABLE people (id text, updated_at timestamptz, payload text)',
    );
    await admin.query(
      'INSERT INTO people SELECT id, at, payload FROM json_to_recordset($1) AS p(id text, at timestamptz, payload text)',
      [JSON.stringify(people)],
    );
  };
  const withTable = async (sql: string, table: string): Promise<Source> => {
    await admin.query(sql);
    return open(table);
  };
  const waits = async (why: 'client' | 'sleep'): Promise<boolean> => {
    const { rows } = await admin.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'roster' AND wait_event = $1",
      [why === 'client' ? 'ClientWrite' : 'PgSleep'],
    );
    return rows.length > 0;
  };

  describe('as any source', () => {
    itTellsRepeatedKeys({ fill, open: () => open() });
    itReadsInOrder({ fill, open: () => open() });
  });

  describe('by its keys', () => {
    const byKey = (table = 'people') =>
      openTable({ kind: 'postgresql', url: database.url, table, updatedAt: undefined }, { stretchMs: 0 });
    itReadsByKey({ fill, open: () => byKey() });

    it.each(['int8', 'uuid', 'numeric', 'citext', 'varchar(40)'])('keys of type %s', async (type) => {
      await admin.query('CREATE EXTENSION IF NOT EXISTS citext');
      const cast = type === 'uuid' ? 'md5(n::text)::uuid' : `n::text::${type}`;
      await admin.query(
        `DROP TABLE IF EXISTS keyed; CREATE TABLE keyed (id ${type});
         INSERT INTO keyed SELECT ${cast} FROM generate_series(-1200, 1200) n`,
      );
      await expectKeys(byKey('keyed'), 2401);
    });
  });

  it('a row that is committed at the last moment while pages are read is left to the next sync, which misses none', async () => {
    const at = '2026-01-31T10:00:00Z';
    await fill([
      { id: 'a', at, payload: '1' },
      { id: 'c', at, payload: '2' },
    ]);
    const source = open();
    const first: PageRow[] = [];
    for await (const { rows } of pagesOf(source, { pageRows: 1 })) {
      first.push(...rows);
      if (first.length === 1)
        await admin.query(`INSERT INTO people VALUES ('b', '${at}', '3'), ('d', '${at}', '4')`);
    }
    expect(inShort(first)).toEqual(['a@1', 'c@2']);
    const last = first.at(-1)?.cursor;
    const next = await readAll(source, { since: last && source.lookBack(last, 0) });
    expect(inShort(next)).toEqual(['a@1', 'b@3', 'c@2', 'd@4']);
  });

  it('knows its columns before it is said in which order it is read', async () => {
    await admin.query('CREATE TABLE odd (a int, "B" text)');
    const table = { kind: 'postgresql', url: database.url, table: 'odd', tls: { mode: 'off' } } as const;
    expect(await readColumns(table)).toEqual([
      { name: 'a', type: 'integer' },
      { name: 'B', type: 'text' },
    ]);
    await expect(readColumns({ ...table, table: 'even' })).rejects.toMatchObject({ code: 'table_missing' });
  });

  it('makes values plain', async () => {
    const source = await withTable(
      `
      DROP TABLE IF EXISTS kinds; DROP DOMAIN IF EXISTS money_amount; DROP TYPE IF EXISTS mood;
      CREATE DOMAIN money_amount AS numeric(20, 2); CREATE TYPE mood AS ENUM ('sad', 'glad');
      CREATE TABLE kinds (id int8 PRIMARY KEY, updated_at timestamp, yes bool, small int2, large int8, ratio float8, nan float8,
        amount money_amount, huge numeric, at timestamptz, born date, gone timestamptz, doc jsonb, tags text[], counts int[], feeling mood,
        raw bytea, nothing text, "__proto__" text);
      INSERT INTO kinds VALUES (9007199254740993, '2026-01-31 10:00:00.123456', true, 7, 9007199254740993, 0.1, 'NaN', 12.50,
        123456789012345678901234567890, '2026-01-31 10:00:00.000001+02', '2000-02-29', 'infinity', '{"a": [1, null, {"b": "ü"}]}',
        '{"a b",NULL,c}', '{1,2}', 'glad', '\\x00ff', NULL, 'own')`,
      'kinds',
    );
    const [found] = await readAll(source);
    expect(found?.row).toEqual({
      id: 9007199254740993n,
      updated_at: '2026-01-31T10:00:00.123456Z',
      yes: true,
      small: 7,
      large: 9007199254740993n,
      ratio: 0.1,
      nan: 'NaN',
      amount: 12.5,
      huge: 123456789012345678901234567890n,
      at: '2026-01-31T08:00:00.000001Z',
      born: '2000-02-29',
      gone: 'infinity',
      doc: { a: [1, null, { b: 'ü' }] },
      tags: ['a b', null, 'c'],
      counts: [1, 2],
      feeling: 'glad',
      raw: '\\x00ff',
      nothing: null,
      ['__proto__']: 'own',
    });
  });

  it('tells how long ago the oldest transaction began, if it may see those of others', async () => {
    await admin.query(`CREATE ROLE stranger LOGIN PASSWORD 'stranger'`);
    const other = new Client(database.url);
    await other.connect();
    await other.query('BEGIN; CREATE TABLE never (id int)');
    const lagOf = async (url: string) =>
      (await openTable({ kind: 'postgresql', url }).clock(new AbortController().signal)).lag;
    const hidden = database.url.replace(/\/\/[^@]+@/, '//stranger:stranger@');
    expect(await lagOf(hidden)).toBeUndefined();
    await admin.query('GRANT pg_read_all_stats TO stranger');
    const { rows } = await other.query('SELECT extract(epoch FROM clock_timestamp() - now()) AS age');
    const lag = await lagOf(hidden);
    expect(lag).toBeGreaterThanOrEqual(Number(rows[0].age));
    await other.query('ROLLBACK');
    expect(await lagOf(hidden)).toBeLessThan(lag ?? 0);
    await other.end();
  });

  it.each([
    ['', ''],
    ['after a savepoint', 'SAVEPOINT s; INSERT INTO people VALUES (1); RELEASE s'],
  ])('counts a transaction that is prepared as open: %s', async (_, more) => {
    await fill([]);
    const other = new Client(database.url);
    await other.connect();
    await other.query(`BEGIN; INSERT INTO people VALUES ('a', now(), 'x'); ${more}`);
    await other.query("PREPARE TRANSACTION 'roster'");
    await other.end();
    const { rows } = await admin.query(
      'SELECT extract(epoch FROM clock_timestamp() - prepared) AS age FROM pg_prepared_xacts',
    );
    const lag = async (mostSeconds?: number) =>
      (await open().clock(new AbortController().signal, mostSeconds)).lag;
    expect(await lag()).toBeGreaterThanOrEqual(Number(rows[0].age));
    // When it began is not told.
    expect(await lag(1_000_000)).toBe(1_000_000);
    await admin.query("COMMIT PREPARED 'roster'");
    expect(await lag(1_000_000)).toBe(0);
  });

  it('does not see the transactions of a session that hides them', async () => {
    const other = new Client(database.url);
    await other.connect();
    await other.query('SET track_activities = off');
    await other.query('BEGIN; CREATE TABLE never (id int)');
    expect((await open().clock(new AbortController().signal)).lag).toBeUndefined();
    await other.end();
  });

  it('only reads: a function in a view can change nothing', async () => {
    const source = await withTable(
      `CREATE TABLE kept (id int); INSERT INTO kept VALUES (1);
      CREATE FUNCTION spoil() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM kept; RETURN 1; END $$;
      CREATE VIEW spoiled AS SELECT 1 AS id, timestamp '2026-01-31' AS updated_at, spoil() AS payload`,
      'spoiled',
    );
    await expect(readAll(source)).rejects.toMatchObject({
      code: 'bad_settings',
      kind: 'config',
      message: expect.stringContaining('a sync only reads'),
    });
    expect((await admin.query('SELECT * FROM kept')).rowCount).toBe(1);
  });

  it('counts the rows without a time, which no reading gives', async () => {
    await fill([{ id: 'a', at: '2026-01-31T10:00:00Z' }]);
    const missed = () => open().missed?.(undefined, undefined, new AbortController().signal);
    expect(await missed()).toEqual({ timeless: 0 });
    await admin.query("INSERT INTO people VALUES ('b'), ('c')");
    expect(await missed()).toEqual({ timeless: 2 });
    expect(await readAll(open())).toHaveLength(1);
  });

  it('refuses a table with more columns than it reads, and says so', async () => {
    const columns = Array.from({ length: 1_005 }, (_, n) => `c${n} int`).join(', ');
    const source = await withTable(
      `CREATE TABLE wide (id int, updated_at timestamptz, ${columns}); INSERT INTO wide VALUES (1, '2026-01-31')`,
      'wide',
    );
    await expect(readAll(source)).rejects.toMatchObject({
      code: 'too_large',
      message: 'wide has more than 1000 columns: name a view with fewer',
    });
  });

  it('keeps the digits of whole numbers within JSON', async () => {
    const source = await withTable(
      `CREATE TABLE long (id int, updated_at timestamptz, a json, b jsonb, c jsonb[]);
      INSERT INTO long VALUES (1, '2026-01-31', '{"n":[9007199254740993]}', '{"n":{"m":-9223372036854775808},"u":18446744073709551615,"x":1e20}',
        ARRAY['{"n":9007199254740993}'::jsonb])`,
      'long',
    );
    const [found] = await readAll(source);
    expect(found?.row).toMatchObject({
      a: { n: [9007199254740993n] },
      b: { n: { m: -9223372036854775808n }, u: 18446744073709551615n, x: 1e20 },
      c: [{ n: 9007199254740993n }],
    });
  });

  it('tells ties apart that a collation holds for equal', async () => {
    const source = await withTable(
      `CREATE COLLATION IF NOT EXISTS any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE alike (id text COLLATE any_case, updated_at timestamptz);
      INSERT INTO alike SELECT id, '2026-01-31' FROM unnest(ARRAY['a', 'A', 'b', 'B']) id`,
      'alike',
    );
    await expectNoneMissedOrRepeated(source);
  });

  describe('as any server', () => {
    itKeepsItsBounds({
      fill,
      prepare: () =>
        admin.query(`CREATE TABLE heavy (id int, updated_at timestamptz, payload text);
          INSERT INTO heavy SELECT n, timestamptz '2026-01-31' + n * interval '1 s', repeat(md5(n::text), 28000) FROM generate_series(1, 150) n;
          CREATE TABLE many (id int, updated_at timestamptz, payload text);
          INSERT INTO many SELECT n, timestamptz '2026-01-31' + n / 3 * interval '1 s', 'x' FROM generate_series(1, 6000) n;
          CREATE TABLE late (id int, updated_at timestamptz); INSERT INTO late VALUES (1, '2026-01-31');
          CREATE VIEW slow AS SELECT id, updated_at, pg_sleep(3600)::text AS payload FROM late`),
      open,
      waits,
    });

    it('stops working when its client is gone', async () => {
      const told = new AbortController();
      const reading = readAll(open('slow'), { signal: told.signal });
      await until(() => waits('sleep'));
      told.abort(new Error('enough'));
      await expect(reading).rejects.toThrow('enough');
      await until(async () => !(await waits('sleep')));
    });
  });
});
