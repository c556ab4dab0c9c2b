/** Rows whose transaction commits after a sync has read past their time, on a real MariaDB. */
import { useMariadb } from '@roster/testkit';
import { type Connection, createConnection } from 'mysql2/promise';
import { makeIntegration } from '../testbed.ts';
import { bodyOf } from './outcomes.ts';
import { useJobs } from './testbed.ts';

let db: Connection;
let other: Connection;
const database = useMariadb(async (uri) => {
  const open = () => createConnection({ uri, multipleStatements: true });
  [db, other] = [await open(), await open()];
  return () => Promise.all([db.end(), other.end()]);
});

const { test, apply, run, take, begin } = useJobs('mysql', database);

let sent: string[] = [];
beforeEach(async () => {
  sent = [];
  await other.query('ROLLBACK');
  await db.query(`DROP TABLE IF EXISTS customers;
    CREATE TABLE customers (external_id varchar(20), updated_at timestamp(6) DEFAULT CURRENT_TIMESTAMP(6));
    INSERT INTO customers VALUES ('first', now(6) - INTERVAL 1 HOUR)`);
});

const insert = (session: Connection, name: string) =>
  session.query('INSERT INTO customers (external_id) VALUES (?)', [name]);

const sync = async (id: string): Promise<void> => {
  await begin(id);
  const lease = await take();
  await run(lease, {
    async send(chunk) {
      const entries = Object.values(bodyOf(chunk)).flat();
      sent.push(...entries.map(({ external_id }) => String(external_id)));
      await apply(chunk);
    },
  }).finally(() => lease.end());
};

// Windows have whole seconds: younger transactions would be in them by chance.
const age = 'DO SLEEP(2.1)';

it.each([
  ['kept', 'RELEASE SAVEPOINT s', ['inner', 'outer']],
  ['rolled back', 'ROLLBACK TO SAVEPOINT s', ['outer']],
])('rows of a transaction with savepoints are read after it commits: %s', async (_, ends, late) => {
  const id = await makeIntegration(test, { look_back_seconds: 0 });
  await other.query('START TRANSACTION');
  await insert(other, 'outer');
  await other.query('SAVEPOINT s');
  await insert(other, 'inner');
  await other.query(`${age}; ${ends}; SAVEPOINT t`);
  await insert(db, 'second');
  await sync(id);
  expect(sent.splice(0)).toEqual(['first', 'second']);
  await other.query('COMMIT');
  await sync(id);
  expect(sent.toSorted()).toEqual(late);
});

describe.each([
  ['+00:00', 'datetime(6)', 'UTC_TIMESTAMP(6)'],
  ['-05:00', 'datetime', 'UTC_TIMESTAMP() - INTERVAL 5 HOUR'],
  ['+00:00', 'timestamp(6)', 'now(6)'],
])('in the zone %s, a %s that is an hour ahead', (zone, type, now) => {
  it('hides no row that is written after it', async () => {
    await db.query(`SET GLOBAL time_zone = '${zone}'; SET time_zone = '+00:00'; DROP TABLE customers;
      CREATE TABLE customers (external_id varchar(20), updated_at ${type});
      INSERT INTO customers VALUES ('first', ${now}), ('ahead', ${now} + INTERVAL 1 HOUR)`);
    const id = await makeIntegration(test, { look_back_seconds: 0 });
    await sync(id);
    for (const name of ['second', 'third']) {
      await db.query(`INSERT INTO customers VALUES ('${name}', ${now})`);
      await sync(id);
    }
    await db.query("SET GLOBAL time_zone = 'SYSTEM'");
    expect(sent.filter((one) => one !== 'ahead')).toEqual(['first', 'second', 'third']);
    expect(sent.filter((one) => one === 'ahead')).toHaveLength(type.startsWith('timestamp') ? 0 : 1);
  });
});
