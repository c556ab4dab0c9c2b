// The table of a schedule, in a database of its own: a PostgreSQL and a MariaDB hold the transactions that are open there against each other.
import { startMariadb, startPostgresql } from '@roster/testkit';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import {
  type Act,
  coarseSeconds,
  type Extra,
  type Plan,
  type ServerName,
  type Slot,
  type Write,
} from './acts.ts';
import { cellOf } from './model.ts';

interface Connection {
  run(statement: string): Promise<unknown>;
  end(): Promise<unknown>;
}

/** What each server calls it. */
interface Words {
  start: typeof startPostgresql;
  args: readonly string[];
  connect(url: string): Promise<Connection>;
  text: string;
  moment(isCoarse: boolean): string;
  now(isCoarse: boolean): string;
  upsert: string;
  payload(n: string): string;
  begin(id: string, isTwoPhase: boolean): string[];
  prepare(id: string): string[];
  end(id: string, how: 'COMMIT' | 'ROLLBACK', state: { isTwoPhase: boolean; isPrepared: boolean }): string[];
}

const patienceSeconds = 20;

const words: Readonly<Record<ServerName, Words>> = {
  postgresql: {
    start: startPostgresql,
    args: ['-c', 'max_connections=300', '-c', 'max_prepared_transactions=100'],
    async connect(url) {
      const client = new Client(url);
      await client.connect();
      await client.query(`SET lock_timeout = '${patienceSeconds}s'`);
      return { run: (statement) => client.query(statement), end: () => client.end() };
    },
    text: 'text',
    moment: () => 'timestamptz',
    now: (isCoarse) =>
      isCoarse
        ? `to_timestamp(floor(extract(epoch FROM now()) / ${coarseSeconds}) * ${coarseSeconds})`
        : 'now()',
    upsert: 'ON CONFLICT (id) DO UPDATE SET n = excluded.n, updated_at = excluded.updated_at',
    payload: (n) => `jsonb_build_object('value', ${n}, 'total', jsonb_build_object('inc', ${n}))`,
    begin: () => ['BEGIN'],
    prepare: (id) => [`PREPARE TRANSACTION '${id}'`],
    end: (id, how, { isPrepared }) => [isPrepared ? `${how} PREPARED '${id}'` : how],
  },
  mysql: {
    start: startMariadb,
    args: ['--max-connections=300'],
    async connect(url) {
      const connection = await createConnection(url);
      await connection.query(`SET innodb_lock_wait_timeout = ${patienceSeconds}`);
      await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
      return { run: (statement) => connection.query(statement), end: () => connection.end() };
    },
    text: 'varchar(20)',
    moment: (isCoarse) => `datetime(${isCoarse ? 0 : 6})`,
    now: (isCoarse) =>
      isCoarse
        ? `utc_timestamp(0) - interval (second(utc_timestamp(0)) MOD ${coarseSeconds}) second`
        : 'utc_timestamp(6)',
    upsert: 'ON DUPLICATE KEY UPDATE n = values(n), updated_at = values(updated_at)',
    payload: (n) => `concat('{"value":', ${n}, ',"total":{"inc":', ${n}, '}}')`,
    begin: (id, isTwoPhase) => [isTwoPhase ? `XA START '${id}'` : 'BEGIN'],
    prepare: (id) => [`XA END '${id}'`, `XA PREPARE '${id}'`],
    end: (id, how, { isTwoPhase, isPrepared }) => {
      if (!isTwoPhase) return [how];
      return [
        ...(isPrepared ? [] : [`XA END '${id}'`]),
        `XA ${how} '${id}'${how === 'COMMIT' && !isPrepared ? ' ONE PHASE' : ''}`,
      ];
    },
  },
};

const constants = {
  attributes: [],
  increments: [],
  events: ["'bought' AS name", "'2026-01-31T10:00:00Z' AS time"],
  purchases: ["'cap' AS product_id", "'EUR' AS currency", '1 AS price', "'2026-01-31T10:00:00Z' AS time"],
};

/** Events and purchases belong to a few people, and are told apart by their ids. */
export const hasKey = ({ data }: Plan): boolean => data === 'events' || data === 'purchases';

/** Of the members that the settings may name. */
export const membersOf = ({ data }: Plan, shown: readonly Extra[]): Record<string, string> =>
  Object.fromEntries(
    ['n', ...shown, ...constants[data].map((one) => one.replace(/.* /, ''))].map((name) => [name, name]),
  );

const viewOf = (plan: Plan, shown: readonly Extra[], { payload }: Words): string => {
  const columns = [
    ...(hasKey(plan) ? ['id', 'person AS external_id'] : ['id AS external_id']),
    ...constants[plan.data],
    plan.data === 'increments' ? `${payload('n')} AS payload` : 'n',
    ...shown.map((column) => `n + ${cellOf(column, 0)} AS ${column}`),
    // In diff mode it would be one more column that changes.
    ...(plan.mode === 'diff' ? [] : ['updated_at']),
  ];
  return `CREATE VIEW feed AS SELECT ${columns.join(', ')} FROM people`;
};

type DatabaseAct = Extract<
  Act,
  { do: 'write' | 'remove' | 'begin' | 'hold' | 'prepare' | 'end' | 'show' | 'rename' }
>;

const isWrong = {
  right: (url: URL) => url,
  'wrong password': (url: URL) => Object.assign(url, { password: 'no' }),
  'wrong database': (url: URL) => Object.assign(url, { pathname: '/nowhere' }),
  'wrong port': (url: URL) => Object.assign(url, { port: '9' }),
};

type Doers<Kind extends DatabaseAct['do']> = {
  readonly [One in Kind]: (act: DatabaseAct & { do: One }) => Promise<unknown>;
};

const runAll = async ({ run }: Connection, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await run(statement);
};

const insert = (server: Words, isCoarse: boolean, writes: readonly Write[], behind = 0): string => {
  const moment = `${server.now(isCoarse)} - interval '${behind}' second`;
  const rows = writes.map(({ key, n }) => `('${key}', 'p${n % 3}', ${n}, ${moment})`);
  return `INSERT INTO people (id, person, n, updated_at) VALUES ${rows.join(', ')} ${server.upsert}`;
};

/** The transactions that are open. */
const createHeld = (server: Words, url: string, isCoarse: () => boolean) => {
  const held = new Map<Slot, Connection & { isTwoPhase: boolean; isPrepared: boolean }>();
  const idOf = (slot: Slot): string => `${new URL(url).pathname.slice(1)}_${slot}`;
  const doers: Doers<'begin' | 'hold' | 'prepare' | 'end'> = {
    async begin({ slot, isTwoPhase }) {
      const connection = await server.connect(url);
      held.set(slot, { ...connection, isTwoPhase, isPrepared: false });
      await runAll(connection, server.begin(idOf(slot), isTwoPhase));
      // The begin is that of its first statement.
      await connection.run('SELECT count(*) FROM people');
    },
    async hold({ slot, writes, savepoint }) {
      const [connection, statement] = [held.get(slot), insert(server, isCoarse(), writes)];
      if (!connection) return;
      const ends = { release: 'RELEASE SAVEPOINT s', rollback: 'ROLLBACK TO SAVEPOINT s' };
      await runAll(connection, savepoint ? ['SAVEPOINT s', statement, ends[savepoint]] : [statement]);
    },
    async prepare({ slot }) {
      const connection = held.get(slot);
      if (!connection) return;
      await runAll(connection, server.prepare(idOf(slot)));
      connection.isPrepared = true;
    },
    async end({ slot, how }) {
      const connection = held.get(slot);
      if (!connection) return;
      held.delete(slot);
      await runAll(connection, server.end(idOf(slot), how === 'commit' ? 'COMMIT' : 'ROLLBACK', connection));
      await connection.end();
    },
  };
  return {
    doers,
    async rollBack(): Promise<void> {
      for (const slot of [...held.keys()]) await doers.end({ do: 'end', slot, how: 'rollback' });
    },
  };
};

/** A database, for one schedule after the other. */
const openPlace = async (name: ServerName, serverUrl: string, n: number) => {
  const server = words[name];
  const database = `schedules_${n}`;
  const first = await server.connect(serverUrl);
  await first.run(`CREATE DATABASE ${database}`);
  await first.end();
  const url = Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
  const admin = await server.connect(url);
  let plan: Plan | undefined;
  let isAway = false;
  const isCoarse = (): boolean => plan?.isCoarse ?? false;
  const held = createHeld(server, url, isCoarse);

  const rename = (from: string, to: string): Promise<unknown> =>
    admin.run(name === 'mysql' ? `RENAME TABLE ${from} TO ${to}` : `ALTER VIEW ${from} RENAME TO ${to}`);
  const dropViews = ['DROP VIEW IF EXISTS feed', 'DROP VIEW IF EXISTS away'];
  const show = async (shown: readonly Extra[]): Promise<void> => {
    if (plan) await runAll(admin, [...dropViews, viewOf(plan, shown, server)]);
    if (isAway) await rename('feed', 'away');
  };

  const doers: Doers<DatabaseAct['do']> = {
    ...held.doers,
    write: ({ writes, behind }) => admin.run(insert(server, isCoarse(), writes, behind)),
    // One by one: MariaDB reads a small table for a list, and waits at rows that a transaction holds.
    remove: ({ keys }) =>
      runAll(
        admin,
        keys.map((key) => `DELETE FROM people WHERE id = '${key}'`),
      ),
    show: ({ columns }) => show(columns),
    async rename(act) {
      if (act.isAway === isAway) return;
      isAway = act.isAway;
      await (isAway ? rename('feed', 'away') : rename('away', 'feed'));
    },
  };

  return {
    /** As it would be named by its connection. */
    urlFor: (how: keyof typeof isWrong): string => isWrong[how](new URL(url)).href,
    async empty(next: Plan, shown: readonly Extra[]): Promise<void> {
      await held.rollBack();
      [plan, isAway] = [next, false];
      const columns = `id ${server.text} PRIMARY KEY, person ${server.text}, n int, updated_at ${server.moment(next.isCoarse)}`;
      await runAll(admin, [...dropViews, 'DROP TABLE IF EXISTS people', `CREATE TABLE people (${columns})`]);
      await show(shown);
    },
    // biome-ignore lint/suspicious/noExplicitAny: the table says which act each of them takes.
    do: (act: DatabaseAct): Promise<unknown> => (doers[act.do] as (act: any) => Promise<unknown>)(act),
    async close(): Promise<void> {
      await held.rollBack();
      await admin.end();
    },
  };
};

export type Place = Awaited<ReturnType<typeof openPlace>>;

/** So many databases of a server. */
export const openPlaces = async (name: ServerName, dir: string, count: number) => {
  const { start, args } = words[name];
  const server = await start({ dir, args: [...args] });
  const numbers = Array.from({ length: count }, (_, n) => n);
  const places = await Promise.all(numbers.map((n) => openPlace(name, server.url, n)));
  return {
    places,
    async close(): Promise<void> {
      await Promise.all(places.map((one) => one.close()));
      await server.stop();
    },
  };
};
