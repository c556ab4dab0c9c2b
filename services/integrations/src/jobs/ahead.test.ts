/** Rows whose time lies ahead, in columns without a zone, on a real PostgreSQL: those that are written after them are synced all the same. */
import { usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import { makeIntegration } from '../testbed.ts';
import { bodyOf } from './outcomes.ts';
import { useJobs } from './testbed.ts';

let db: Client;
let url = '';
const database = usePostgresql(async (own) => {
  url = own;
  db = new Client(url);
  await db.connect();
  return () => db.end();
});

const { test, apply, run, take, begin } = useJobs('postgresql', database);

const create = async (type: string): Promise<void> => {
  await db.query(`DROP TABLE IF EXISTS customers; DROP ROLE IF EXISTS writer;
    CREATE TABLE customers (id int PRIMARY KEY, external_id text, name text DEFAULT 'bought', updated_at ${type})`);
};
const insert = (id: number, at: string) =>
  db.query(`INSERT INTO customers (id, external_id, updated_at) VALUES (${id}, 'p${id}', ${at})`);

/** No second of grace. */
const make = () =>
  makeIntegration(test, { data: 'events', key: 'id', look_back_seconds: 0, columns: { name: 'name' } });

const sync = async (id: string): Promise<string[]> => {
  const sent: string[] = [];
  await begin(id);
  const lease = await take();
  await run(lease, {
    async send(chunk) {
      sent.push(
        ...Object.values(bodyOf(chunk))
          .flat()
          .map(({ external_id }) => String(external_id)),
      );
      await apply(chunk);
    },
  }).finally(() => lease.end());
  return sent.sort();
};

const day = "(now() AT TIME ZONE 'UTC')::date";

describe.each([
  ['timestamp', "now() AT TIME ZONE 'UTC'", "interval '1 hour'"],
  ['timestamp(0)', "now() AT TIME ZONE 'UTC'", "interval '13 hours'"],
  ['timestamptz', 'now()', "interval '1 hour'"],
  ['date', day, '1'],
])('a row of a later %s', (type, now, ahead) => {
  it('hides none that is written after it, and counts once', async () => {
    await create(type);
    await insert(1, now);
    await insert(2, `${now} + ${ahead}`);
    const id = await make();
    const first = await sync(id);
    const others: string[] = [];
    for (const n of [3, 4, 5]) {
      await insert(n, now);
      others.push(...(await sync(id)));
    }
    const all = [...first, ...others].sort();
    // One whose time may not have come anywhere waits.
    expect(all.filter((one) => one !== 'p2')).toEqual(['p1', 'p3', 'p4', 'p5']);
    expect(all.filter((one) => one === 'p2').length).toBeLessThanOrEqual(1);
    expect(await sync(id)).toEqual([]);
  });
});

it('a row ahead is read at once, and again when it has changed', async () => {
  await create('timestamp');
  await insert(1, "now() AT TIME ZONE 'UTC' + interval '1 hour'");
  const id = await make();
  expect(await sync(id)).toEqual(['p1']);
  await db.query("UPDATE customers SET updated_at = now() AT TIME ZONE 'UTC'");
  expect(await sync(id)).toEqual(['p1']);
  expect(await sync(id)).toEqual([]);
});

describe('where writers are in a zone behind UTC', () => {
  afterEach(async () => {
    await db.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} RESET timezone; DROP ROLE IF EXISTS writer`,
    );
  });
  it.each([
    ['the server is', `ALTER DATABASE $DB SET timezone = 'America/New_York'`],
    ['their role is', `CREATE ROLE writer; ALTER ROLE writer SET timezone = 'America/New_York'`],
  ])('%s: the same', async (_, sql) => {
    await create('timestamp');
    await db.query(sql.replace('$DB', new URL(url).pathname.slice(1)));
    const now = "now() AT TIME ZONE 'America/New_York'";
    await insert(1, now);
    await insert(2, `${now} + interval '1 hour'`);
    const id = await make();
    expect(await sync(id)).toEqual(['p1', 'p2']);
    await insert(3, now);
    expect(await sync(id)).toEqual(['p3']);
  });
});

it('where writers are in a zone ahead of UTC, their rows are read at once', async () => {
  await create('timestamp');
  const now = "now() AT TIME ZONE 'Asia/Tokyo'";
  await insert(1, now);
  const id = await make();
  expect(await sync(id)).toEqual(['p1']);
  await insert(2, now);
  expect(await sync(id)).toEqual(['p2']);
  expect(await sync(id)).toEqual([]);
});
