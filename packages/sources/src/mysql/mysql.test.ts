import { useDatabase } from '@roster/testkit';
import { type Connection, createConnection } from 'mysql2/promise';
import { openSource } from '../open-source.ts';
import { itReadsInOrder, type Person, readAll } from '../testbed.ts';

describe('MariaDB', () => {
  let admin: Connection;
  const database = useDatabase('mariadb', async (url) => {
    admin = await createConnection({ uri: url, multipleStatements: true, timezone: 'Z' });
    return () => admin.end();
  });
  const settings = (more: object = {}) => ({
    kind: 'mysql' as const,
    url: database.url,
    table: 'people',
    updatedAt: 'UPDATED_AT',
    tie: 'id',
    tls: { mode: 'off' as const },
    ...more,
  });
  const fill = async (people: readonly Person[]) => {
    await admin.query(
      'DROP TABLE IF EXISTS people; CREATE TABLE people (id varchar(900), updated_at datetime(6), payload longtext) CHARACTER SET utf8mb4',
    );
    const values = people.map(({ id, at, payload }) => [id, at.replace('T', ' ').replace('Z', ''), payload]);
    await admin.query('INSERT INTO people (id, updated_at, payload) VALUES ?', [values]);
  };

  describe('as any source', () => {
    itReadsInOrder({ fill, open: () => openSource(settings()) });
  });

  it('makes values plain', async () => {
    await admin.query(`
      DROP TABLE IF EXISTS kinds;
      CREATE TABLE kinds (id bigint PRIMARY KEY, updated_at timestamp(6) NOT NULL, yes boolean, small smallint, ratio double,
        amount decimal(20, 2), born date, raw varbinary(8), name varchar(20), nothing text) CHARACTER SET utf8mb4;
      SET time_zone = '+00:00';
      INSERT INTO kinds VALUES (9007199254740993, '2026-01-31 10:00:00.123456', true, 7, 0.1, 12.50, '2000-02-29', x'00ff', 'ü😀', NULL)`);
    const source = openSource(settings({ table: 'kinds' }));
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
    const source = openSource(settings());
    const whole = await readAll(source);
    for (const [read, { cursor }] of whole.entries())
      expect(await readAll(source, { since: cursor })).toHaveLength(3 - read);
  });
});
