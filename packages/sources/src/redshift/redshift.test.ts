/** On a real PostgreSQL, which does not prove that Redshift has what our statements use: of that the list below is a witness. */
import { useDatabase } from '@roster/testkit';
import { bounds } from '../bounds.ts';
import { openSource } from '../open-source.ts';
import { inShort, itReadsInOrder, readAll } from '../testbed.ts';
import { countRows, readRows } from '../warehouse/statements.ts';
import { tableIn } from '../warehouse/table.ts';
import { type Engine, fillPeople, openEngine } from '../warehouse/testbed.ts';
import { dialect } from './dialect.ts';
import { openRedshift } from './redshift.ts';

/** Of Redshift's documentation: https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_functions.html */
const functionsThere = new Set('CAST COALESCE COUNT JSON_SIZE OCTET_LENGTH SUBSTR TO_CHAR TO_HEX'.split(' '));
const typesThere = new Set(['VARCHAR(65535)', 'TIMESTAMPTZ', 'TIMESTAMP', 'DATE', 'INT8', 'NUMERIC(38, 10)']);

describe('Redshift', () => {
  let engine: Engine;
  const database = useDatabase('postgresql', async (url) => {
    engine = await openEngine(url, '');
    return () => engine.close();
  });
  const settings = (more: object = {}) => ({
    kind: 'redshift' as const,
    url: database.url,
    table: 'people',
    updatedAt: 'UPDATED_AT',
    tie: 'id',
    tls: { mode: 'off' as const },
    ...more,
  });

  describe('as any source', () => {
    itReadsInOrder({ fill: (people) => fillPeople(engine, people), open: () => openSource(settings()) });
  });

  it('makes values plain, and keeps microseconds and long numbers', async () => {
    await engine.admin.query(`
      CREATE TABLE kinds (id int8, updated_at timestamp, yes bool, small int2, ratio float8, nan float8, amount numeric(20, 2), huge numeric(38, 0),
        at timestamptz, born date, nothing varchar, name char(3));
      INSERT INTO kinds VALUES (9007199254740993, '2026-01-31 10:00:00.123456', true, 7, 0.1, 'NaN', 12.50, 123456789012345678901234567890,
        '2026-01-31 10:00:00.000001+02', '2000-02-29', NULL, 'ab')`);
    const [found] = await readAll(openSource(settings({ table: 'KINDS' })));
    expect(found?.row).toEqual({
      id: 9007199254740993n,
      updated_at: '2026-01-31T10:00:00.123456Z',
      yes: true,
      small: 7,
      ratio: 0.1,
      nan: 'NaN',
      amount: 12.5,
      huge: 123456789012345678901234567890n,
      at: '2026-01-31T08:00:00.000001Z',
      born: '2000-02-29',
      nothing: null,
      name: 'ab ',
    });
  });

  it.each([
    ['timestamp', 'int2'],
    ['date', 'numeric(10, 2)'],
    ['timestamptz', 'varchar(20)'],
  ])('goes on behind moments of type %s and ties of type %s', async (moment, tie) => {
    await engine.admin.query(`DROP TABLE IF EXISTS moments; CREATE TABLE moments (id ${tie}, updated_at ${moment});
      INSERT INTO moments SELECT n, timestamp '2026-01-31' + (n / 2) * interval '1 day' FROM generate_series(-6, -1) n`);
    const source = openSource(settings({ table: 'moments' }));
    const whole = await readAll(source);
    for (const [at, { cursor }] of whole.entries())
      expect(await readAll(source, { since: cursor })).toEqual(whole.slice(at + 1));
    expect(whole).toHaveLength(6);
  });

  it('reads a few rows with each statement, and counts them', async () => {
    await engine.admin.query(`CREATE TABLE many (id int8, updated_at timestamptz, payload varchar);
      INSERT INTO many SELECT n, timestamptz '2026-01-31' + n / 3 * interval '1 s', 'x' FROM generate_series(1, 2000) n`);
    const source = openRedshift(settings({ table: 'many' }), { ...bounds, statementRows: 300 });
    const read = await readAll(source);
    expect(new Set(read.map(({ row }) => row?.id)).size).toBe(2_000);
    expect(read).toHaveLength(2_000);
    const stretches = openRedshift(settings({ table: 'many' }), { ...bounds, stretchMs: 0 });
    expect(await readAll(stretches)).toHaveLength(2_000);
    expect(await source.estimate(read[499]?.cursor, new AbortController().signal)).toBe(1_500);
  });

  it('only reads: a function in a view can change nothing', async () => {
    await engine.admin.query(`CREATE TABLE kept (id int); INSERT INTO kept VALUES (1);
      CREATE FUNCTION spoil() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM kept; RETURN 1; END $$;
      CREATE VIEW spoiled AS SELECT 1 AS id, timestamp '2026-01-31' AS updated_at, spoil() AS payload`);
    await expect(readAll(openSource(settings({ table: 'spoiled' })))).rejects.toMatchObject({
      code: 'server_error',
    });
    expect((await engine.admin.query('SELECT * FROM kept')).rowCount).toBe(1);
  });

  it('reads JSON of type SUPER', () => {
    const read = dialect.kinds.super?.read;
    expect(['{"a":[1,null]}', '"text"', 'null', 'bare'].map((text) => read?.(text))).toEqual([
      { a: [1, null] },
      'text',
      null,
      'bare',
    ]);
  });

  it('uses functions and types that Redshift has, and no others', () => {
    const names = [...Object.keys(dialect.kinds), 'type 3000'];
    for (const moment of Object.keys(dialect.moments))
      for (const tie of Object.keys(dialect.ties)) {
        const columns = names.map((kind) => ({ name: kind, type: kind, kind }));
        const table = tableIn(dialect, { table: 't', updatedAt: moment, tie }, '"t"', columns);
        const since = { moment: '2026-01-31T10:00:00Z', tie: '1', isOpen: true, seen: [] };
        const span = { since, now: new Date() };
        for (const { text } of [readRows(dialect, table, span, 5), countRows(dialect, table, span)]) {
          for (const [, name] of text.matchAll(/(?<! AS )\b([A-Z_]+)\(/g))
            expect([...functionsThere]).toContain(name);
          for (const [, type] of text.matchAll(/CAST\(\S+ AS ([A-Z\d]+(?:\([\d, ]+\))?)\)/g))
            expect([...typesThere]).toContain(type);
        }
      }
  });

  it('stops in the server when it takes too long', async () => {
    await fillPeople(engine, [{ id: 'a', at: '2026-01-31T10:00:00Z', payload: '1' }]);
    await engine.admin.query(
      'CREATE VIEW slow AS SELECT id, updated_at, pg_sleep(20)::text AS payload FROM people',
    );
    const source = openRedshift(settings({ table: 'slow' }), { ...bounds, statementMs: 300 });
    await expect(readAll(source)).rejects.toMatchObject({ code: 'time_limit' });
    expect(inShort(await readAll(openSource(settings())))).toEqual(['a@1']);
  });
});
