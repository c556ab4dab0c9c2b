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
