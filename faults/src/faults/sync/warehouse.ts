/** A PostgreSQL and a MariaDB, each with a table of people. Odd ones never change; even ones are changed all the time. Some odd ones may be removed. */
import type { Server } from '@roster/local-stack';
import { startMariadb, startPostgresql } from '@roster/testkit';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { Client } from 'pg';
import { keepDoing } from '../../harness/wait.ts';

type Row = Record<string, unknown>;

interface Database {
  query(statement: string): Promise<readonly Row[]>;
  end(): Promise<unknown>;
}

interface Kind {
  name: 'postgresql' | 'mysql';
  start(options: { dir: string }): Promise<Server>;
  connect(url: string): Promise<Database>;
  text: string;
  moment: string;
  now: string;
  /** Names, numbers and moments of so many people: ten thousand rows of each moment, in the middle of which processes die. */
  people(rows: number): string;
  /** How often a row was applied can be read from the profile. */
  payload: string;
}

const kinds: readonly Kind[] = [
  {
    name: 'postgresql',
    start: startPostgresql,
    async connect(url) {
      const client = new Client(url);
      await client.connect();
      return { query: async (text) => (await client.query(text)).rows, end: () => client.end() };
    },
    text: 'text',
    moment: 'timestamptz',
    now: 'clock_timestamp()',
    people: (rows) =>
      `SELECT 'p' || n, n, 0, '2026-01-01T00:00:00Z'::timestamptz + (n / 10000) * interval '1 second' FROM generate_series(1, ${rows}) n`,
    payload: `jsonb_build_object('value', value, 'applied', jsonb_build_object('inc', 1))`,
  },
  {
    name: 'mysql',
    start: startMariadb,
    async connect(url) {
      const connection = await createConnection(url);
      return {
        query: async (text) => (await connection.query<RowDataPacket[]>(text))[0],
        end: () => connection.end(),
      };
    },
    text: 'varchar(20)',
    moment: 'datetime(6)',
    now: 'utc_timestamp(6)',
    people: (rows) =>
      `SELECT concat('m', seq), seq, 0, timestamp '2026-01-01 00:00:00' + interval (seq div 10000) second FROM seq_1_to_${rows}`,
    payload: `concat('{"value":', value, ',"applied":{"inc":1}}')`,
  },
];

export interface Warehouse {
  kind: Kind['name'] | 's3';
  /** The other members of its connection, in the settings of a workspace. */
  connection: object;
  /** The credentials that the connection names. */
  env: Record<string, string>;
  /** Files are one table, without a name. */
  table?: string;
  /** Changes some rows again and again, until it is stopped. May add rows, and remove some of those that were there from the start. */
  keepChanging(more?: { adds?: boolean; removes?: boolean }): () => Promise<void>;
  removed(): number;
  /** The value of each row as it is now. */
  values(): Promise<readonly (readonly [string, number])[]>;
  close(): Promise<void>;
}

const changeEveryMs = 50;

const openWarehouse = async (kind: Kind, rows: number, dir: string): Promise<Warehouse> => {
  const server = await kind.start({ dir });
  const db = await kind.connect(server.url);
  await db.query(
    `CREATE TABLE people (external_id ${kind.text} PRIMARY KEY, n int UNIQUE, value int, updated_at ${kind.moment})`,
  );
  await db.query(`INSERT INTO people ${kind.people(rows)}`);
  await db.query(
    `CREATE VIEW feed AS SELECT external_id, updated_at, ${kind.payload} AS payload FROM people`,
  );
  let added = 0;
  let removed = 0;
  const add = (): Promise<unknown> => {
    added += 1;
    // Odd, and beyond those that were there.
    const row = `'${kind.name}-${added}', ${rows + 1 + 2 * added}, 0, ${kind.now}`;
    return db.query(`INSERT INTO people VALUES (${row})`);
  };
  const remove = async (): Promise<void> => {
    const n = 5 + 10 * removed;
    if (n > rows) return;
    await db.query(`DELETE FROM people WHERE n = ${n}`);
    removed += 1;
  };
  const credential = `ROSTER_CREDENTIAL_${kind.name.toUpperCase()}`;
  return {
    kind: kind.name,
    connection: { url: { env: credential }, tls: 'off' },
    env: { [credential]: server.url },
    table: 'feed',
    removed: () => removed,
    keepChanging({ adds = false, removes = false } = {}) {
      let round = 0;
      return keepDoing(async () => {
        const from = 2 * ((round++ * 37) % (rows / 2));
        await db.query(
          `UPDATE people SET value = value + 1, updated_at = ${kind.now} WHERE n % 2 = 0 AND n BETWEEN ${from} AND ${from + 40}`,
        );
        if (adds) await add();
        if (removes) await remove();
      }, changeEveryMs);
    },
    async values() {
      const found = await db.query('SELECT external_id, value FROM people');
      return found.map(({ external_id, value }) => [String(external_id), Number(value)] as const);
    },
    async close() {
      await db.end();
      await server.stop();
    },
  };
};

/** Each opens a server with so many rows, in a folder. */
export const tables = kinds.map((kind) => (rows: number, dir: string) => openWarehouse(kind, rows, dir));
