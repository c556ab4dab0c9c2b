/** A real standby: its data are a copy of those of its primary, from which it receives what is written there. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { startPostgresql, until, useFolder } from '@roster/testkit';
import { Client } from 'pg';
import { inShort, openTable, readAll } from '../testbed.ts';

type Server = Awaited<ReturnType<typeof startPostgresql>>;

const inFolder = useFolder();
let primary: Server;
let standby: Server;
let db: Client;

/** Of a server that stands still, as the documentation has it: its folder as it is. */
const copyData = (): void => {
  mkdirSync(inFolder('standby'));
  execFileSync('cp', ['-a', inFolder('primary', 'data'), inFolder('standby', 'data')]);
  writeFileSync(inFolder('standby', 'data', 'standby.signal'), '');
};

beforeAll(async () => {
  await (await startPostgresql({ dir: inFolder('primary') })).stop();
  copyData();
  primary = await startPostgresql({ dir: inFolder('primary') });
  const args = ['-c', `primary_conninfo=${primary.url}`];
  standby = await startPostgresql({ dir: inFolder('standby'), args });
  db = new Client(primary.url);
  await db.connect();
});
afterAll(() => db?.end());
afterAll(() => standby?.stop());
afterAll(() => primary?.stop());

const open = ({ url }: Server) => openTable({ kind: 'postgresql', url });

const lagOf = async (server: Server) => (await open(server).clock(new AbortController().signal)).lag;

it('is read, and tells that transactions of its primary are not seen there', async () => {
  await db.query(`CREATE TABLE people (id text, updated_at timestamptz DEFAULT now(), payload text);
    INSERT INTO people VALUES ('a', now(), '1')`);
  await db.query("BEGIN; INSERT INTO people VALUES ('late', now(), '2')");
  const replica = new Client(standby.url);
  await replica.connect();
  await until(async () => (await replica.query("SELECT to_regclass('people') AS found")).rows[0].found);
  await until(async () => (await replica.query('SELECT FROM people')).rowCount);
  await replica.end();
  expect(inShort(await readAll(open(standby)))).toEqual(['a@1']);
  // Its only transaction is ours: without knowing what it is, none would be old.
  expect(await lagOf(standby)).toBeUndefined();
  expect(await lagOf(primary)).toBeGreaterThanOrEqual(0);
  await db.query('COMMIT');
});
