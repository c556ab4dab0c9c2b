/** A PostgreSQL with a table of people. Odd ones never change; even ones are changed all the time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresql } from '@roster/local-stack';
import { Client } from 'pg';
import { sleep } from '../../harness/wait.ts';

export interface Warehouse {
  url: string;
  fill(rows: number): Promise<void>;
  /** Changes some rows again and again, until it is stopped. */
  keepChanging(rows: number): () => Promise<void>;
  /** The value of each row as it is now. */
  values(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

const changeEveryMs = 50;

export const openWarehouse = async (): Promise<Warehouse> => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-warehouse-'));
  const server = await startPostgresql({ dir });
  const db = new Client(server.url);
  await db.connect();
  return {
    url: server.url,
    async fill(rows) {
      await db.query(
        'CREATE TABLE people (external_id text PRIMARY KEY, n int, value int, updated_at timestamptz)',
      );
      await db.query(
        `INSERT INTO people SELECT 'p' || n, n, 0, '2026-01-01T00:00:00Z'::timestamptz + (n / 10000) * interval '1 second'
         FROM generate_series(1, $1::int) n`,
        [rows],
      );
      // Ten thousand rows of one moment, in the middle of which processes die. How often a row was applied can be read from the profile.
      await db.query(
        `CREATE VIEW feed AS SELECT external_id, updated_at,
         jsonb_build_object('value', value, 'applied', jsonb_build_object('inc', 1)) AS payload FROM people`,
      );
    },
    keepChanging(rows) {
      let stopped = false;
      const changing = (async () => {
        for (let round = 0; !stopped; round += 1) {
          const from = 2 * ((round * 37) % (rows / 2));
          await db.query(
            'UPDATE people SET value = value + 1, updated_at = clock_timestamp() WHERE n % 2 = 0 AND n BETWEEN $1 AND $1 + 40',
            [from],
          );
          await sleep(changeEveryMs);
        }
      })();
      return async () => {
        stopped = true;
        await changing;
      };
    },
    async values() {
      const { rows } = await db.query('SELECT external_id, value FROM people');
      return new Map(rows.map(({ external_id, value }) => [external_id, value]));
    },
    async close() {
      await db.end();
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
