import { setTimeout as pause } from 'node:timers/promises';
import { until, useMariadb } from '@roster/testkit';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Limits } from '../bounds.ts';
import { itKeepsItsBounds } from '../server/testbed.ts';
import type { Source } from '../source.ts';
import {
  expectKeys,
  expectNoneMissedOrRepeated,
  itReadsByKey,
  itReadsInOrder,
  itTellsRepeatedKeys,
  openTable,
  type Person,
  readAll,
} from '../testbed.ts';

describe('MariaDB', () => {
  let admin: Connection;
  const database = useMariadb(async (url) => {
    admin = await createConnection({ uri: url, multipleStatements: true, timezone: 'Z' });
    return () => admin.end();
  });
  const open = (table = 'people', limits: Partial<Limits> = {}): Source =>
    openTable({ kind: 'mysql', url: database.url, table }, limits);
  const fill = async (people: readonly Person[]) => {
    await admin.query(
      'DROP TABLE IF EXISTS people; CREATE TABLE people (id varchar(900), updated_at datetime(6), payload longtext) CHARACTER SET utf8mb4',
    );
    const values = people.map(({ id, at, payload }) => [id, at.replace('T', ' ').replace('Z', ''), payload]);
    await admin.query('INSERT INTO people (id, updated_at, payload) VALUES ?', [values]);
  };

  describe('as any source', () => {
    itTellsRepeatedKeys({ fill, open: () => open() });
    itReadsInOrder({ fill, open: () => open() });
    itKeepsItsBounds({
      fill,
      prepare: () =>
        admin.query(`CREATE TABLE heavy (id int, updated_at datetime, payload mediumtext);
          INSERT INTO heavy SELECT seq, timestamp '2026-01-31 00:00:00' + interval seq second, repeat(md5(seq), 28000) FROM seq_1_to_150;
          CREATE TABLE many (id int, updated_at datetime, payload text);
          INSERT INTO many SELECT seq, timestamp '2026-01-31 00:00:00' + interval floor(seq / 3) second, 'x' FROM seq_1_to_6000;
          CREATE TABLE late (id int, updated_at datetime); INSERT INTO late VALUES (1, '2026-01-31');
          CREATE VIEW slow AS SELECT id, updated_at, sleep(3600) AS payload FROM late`),
      open,
      waits: async (why) => {
        const [rows] = await admin.query<RowDataPacket[]>(
          "SELECT 1 FROM information_schema.processlist WHERE info LIKE 'SELECT %FROM `roster`.%' AND state = ?",
          [why === 'client' ? 'Writing to net' : 'User sleep'],
        );
        return rows.length > 0;
      },
    });
  });

  describe('by its keys', () => {
    const byKey = (table = 'people') =>
      openTable({ kind: 'mysql', url: database.url, table, updatedAt: undefined }, { stretchMs: 0 });
    itReadsByKey({ fill, open: () => byKey() });

    it.each([
      ['bigint', 'CAST(seq AS SIGNED) - 1200'],
      ['uuid', "concat(left(md5(seq), 8), '-0000-4000-8000-000000000000')"],
      ['decimal(12, 1)', 'CAST(seq AS SIGNED) - 1200'],
      ['varbinary(16)', 'unhex(md5(seq))'],
      ['varchar(40)', 'md5(seq)'],
    ])('keys of type %s', async (type, value) => {
      await admin.query(
        `DROP TABLE IF EXISTS keyed; CREATE TABLE keyed (id ${type}); INSERT INTO keyed SELECT ${value} FROM seq_1_to_2400`,
      );
      await expectKeys(byKey('keyed'), 2400);
    });
  });

  it('makes values plain', async () => {
    await admin.query(`
      DROP TABLE IF EXISTS kinds;
      CREATE TABLE kinds (id bigint PRIMARY KEY, updated_at timestamp(6) NOT NULL, yes boolean, small smallint, ratio double,
        amount decimal(20, 2), born date, raw varbinary(8), name varchar(20), nothing text) CHARACTER SET utf8mb4;
      SET time_zone = '+00:00';
      INSERT INTO kinds VALUES (9007199254740993, '2026-01-31 10:00:00.123456', true, 7, 0.1, 12.50, '2000-02-29', x'00ff', 'ü😀', NULL)`);
    const source = open('kinds');
    const [found] = await readAll(source);
    expect(found?.row).toEqual({
      id: 9007199254740993n,
      updated_at: '2026-01-31T10:00:00.123456Z',
      yes: true,
      small: 7,
      ratio: 0.1,
      amount: 12.5,
      born: '2000-02-29',
      raw: '00ff',
      name: 'ü😀',
      nothing: null,
    });
    expect(await source.estimate(undefined, new AbortController().signal)).toBe(1);
  });

  it('tells ties apart that the collation holds for equal', async () => {
    await fill(['a', 'A', 'ä', 'a '].map((id) => ({ id, at: '2026-01-31T10:00:00Z', payload: id })));
    await expectNoneMissedOrRepeated(open());
  });

  describe('tells how long ago the oldest transaction began', () => {
    const lag = async (mostSeconds?: number, url = database.url) =>
      (await openTable({ kind: 'mysql', url }).clock(new AbortController().signal, mostSeconds)).lag;
    const withOther = async (use: (other: Connection) => Promise<void>) => {
      await fill([{ id: 'b', at: '2026-01-31T10:00:00Z', payload: 'y' }]);
      const other = await createConnection({ uri: database.url });
      await use(other).finally(() => other.end());
    };
    const age = async (): Promise<number> => {
      const [[found]] = await admin.query<RowDataPacket[]>(
        'SELECT TIMESTAMPDIFF(SECOND, MIN(trx_started), NOW()) AS age FROM information_schema.innodb_trx',
      );
      return Number(found?.age);
    };

    it('that is open', () =>
      withOther(async (other) => {
        await other.query('START TRANSACTION; ');
        await other.query("INSERT INTO people VALUES ('a', NOW(6), 'x')");
        expect(await lag()).toBeGreaterThanOrEqual(await age());
        await other.query('ROLLBACK');
        expect(await lag(1_000_000)).toBeLessThan(1_000_000);
      }));

    it('that is prepared, and has no session', async () => {
      await withOther(async (other) => {
        await other.query("XA START 'roster'");
        await other.query("INSERT INTO people VALUES ('a', NOW(6), 'x')");
        await other.query("XA END 'roster'");
        await other.query("XA PREPARE 'roster'");
      });
      // InnoDB shows its transactions as they were, to whoever asks again within a tenth of a second.
      const rested = async (): Promise<number | undefined> => pause(150).then(() => lag(1_000_000));
      await until(async () => (await rested()) === 1_000_000);
      await admin.query("XA COMMIT 'roster'");
      await until(async () => (await rested()) !== 1_000_000);
    });

    it('but not to a user who may not see those of others', async () => {
      await admin.query(
        "CREATE USER stranger IDENTIFIED BY 'stranger'; GRANT SELECT ON roster.* TO stranger",
      );
      expect(await lag(0, database.url.replace(/\/\/[^@]+@/, '//stranger:stranger@'))).toBeUndefined();
    });

    it('but not of a server that only reads, as of a replica', async () => {
      await admin.query('SET GLOBAL read_only = 1');
      expect(await lag()).toBeUndefined();
      await admin.query('SET GLOBAL read_only = 0');
    });
  });

  it('counts the rows without a time, which no reading gives', async () => {
    await fill([{ id: 'a', at: '2026-01-31T10:00:00Z', payload: 'x' }]);
    await admin.query("INSERT INTO people (id) VALUES ('b'), ('c')");
    const missed = await open().missed?.(undefined, undefined, new AbortController().signal);
    expect(missed).toEqual({ timeless: 2 });
  });

  it('refuses a table with more columns than it reads, and says so', async () => {
    const columns = Array.from({ length: 1_005 }, (_, n) => `c${n} tinyint`).join(', ');
    await admin.query(`CREATE TABLE wide (id int, updated_at datetime, ${columns})`);
    await expect(readAll(open('wide'))).rejects.toMatchObject({ code: 'too_large' });
  });

  it('reads JSON as objects, with all digits', async () => {
    await admin.query(`CREATE TABLE documents (id int, updated_at datetime, doc json, \`o\`\`dd\` json, note longtext);
      INSERT INTO documents VALUES (1, '2026-01-31', '{"n":9007199254740993}', '[1]', '{"n":1}')`);
    const [found] = await readAll(open('documents'));
    expect(found?.row).toMatchObject({ doc: { n: 9007199254740993n }, 'o`dd': [1], note: '{"n":1}' });
  });

  it('only reads: a function in a view can change nothing', async () => {
    await admin.query(`CREATE TABLE kept (id int); INSERT INTO kept VALUES (1);
      CREATE FUNCTION spoil() RETURNS int MODIFIES SQL DATA BEGIN DELETE FROM kept; RETURN 1; END;
      CREATE VIEW spoiled AS SELECT 1 AS id, timestamp '2026-01-31 00:00:00' AS updated_at, spoil() AS payload`);
    // Its columns can't be read either: that would run the function.
    await expect(readAll(open('spoiled'))).rejects.toMatchObject({ code: 'table_missing' });
    expect((await admin.query('SELECT * FROM kept'))[0]).toHaveLength(1);
  });

  it('reads what has no plain form as hexadecimal, and tells moments that are none', async () => {
    await admin.query(`SET SESSION sql_mode = '';
      CREATE TABLE odd (id binary(2), updated_at datetime, place point, raw blob, flags set('a', 'b'), never datetime);
      INSERT INTO odd VALUES (x'00ff', '2026-01-31', point(1, 2), x'0a', 'a,b', '0000-00-00'), (x'00fe', '0000-00-00', NULL, NULL, NULL, NULL)`);
    const [found, ...more] = await readAll(open('odd'));
    expect(more).toEqual([]);
    expect(found?.row).toEqual({
      id: '00ff',
      updated_at: '2026-01-31T00:00:00Z',
      place: expect.stringMatching(/^[0-9a-f]{50}$/),
      raw: '0a',
      flags: 'a,b',
      never: '0000-00-00 00:00:00',
    });
  });
});
