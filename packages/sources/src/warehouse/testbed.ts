/** What doubles of warehouses share: a real PostgreSQL behind them runs their statements, after the words that PostgreSQL lacks were replaced. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client } from 'pg';
import type { Person } from '../testbed.ts';

export type Answer = readonly [status: number, body: unknown, isZipped?: boolean];

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
};

const answerTo = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: (asked: Asked) => Promise<Answer>,
) => {
  const { method = '', url = '', headers } = request;
  const asked = { method, url: new URL(url, 'http://double'), headers, body: await bodyOf(request) };
  const [status, body, isZipped] = await answer(asked).catch(
    (error: unknown): Answer => [500, { double: String(error) }],
  );
  const encoding = isZipped ? { 'content-encoding': 'gzip' } : {};
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', ...encoding })
    .end(isZipped ? gzipSync(text) : text);
};

/** On loopback, at the end of a test file it is closed. */
export const serve = async (answer: (asked: Asked) => Promise<Answer>) => {
  const server = createServer((request, response) => void answerTo(request, response, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export interface Engine {
  readonly admin: Client;
  /** All cells as texts. */
  run(text: string, values: readonly string[], ms: number): Promise<(string | null)[][]>;
  close(): Promise<void>;
}

/** `words`: functions and types that the warehouse has and PostgreSQL lacks. */
export const openEngine = async (url: string, words: string): Promise<Engine> => {
  const admin = new Client({ connectionString: url, types: { getTypeParser: () => String } });
  await admin.connect();
  await admin.query(`SET timezone = 'UTC'; ${words}`);
  return {
    admin,
    async run(text, values, ms) {
      await admin.query(`SET statement_timeout = ${Math.ceil(ms)}`);
      try {
        const { rows } = await admin.query({ text, values: [...values], rowMode: 'array' });
        return rows;
      } finally {
        await admin.query('SET statement_timeout = 0');
      }
    },
    close: () => admin.end(),
  };
};

export const fillPeople = async ({ admin }: Engine, people: readonly Person[]): Promise<void> => {
  await admin.query(
    'DROP TABLE IF EXISTS people CASCADE; CREATE TABLE people (id text, updated_at timestamptz, payload text)',
  );
  await admin.query(
    'INSERT INTO people SELECT id, at, payload FROM json_to_recordset($1) AS p(id text, at timestamptz, payload text)',
    [JSON.stringify(people)],
  );
};

/** The columns of a table with the names of PostgreSQL's types. */
export const columnsIn = async (
  { admin }: Engine,
  quotedName: string,
): Promise<readonly { name: string; type: string }[] | undefined> => {
  const { rows } = await admin.query(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [quotedName],
  );
  return rows.length > 0 ? rows : undefined;
};

/** A view whose rows take longer than any limit of a test. */
export const makeSlow = ({ admin }: Engine): Promise<unknown> =>
  admin.query('CREATE VIEW slow AS SELECT id, updated_at, pg_sleep(20)::text AS payload FROM people');

/** Large as it is, and small when it is zipped: half of it has no payload. */
export const fillZipped = ({ admin }: Engine): Promise<unknown> =>
  admin.query(`CREATE TABLE zipped (id bigint, updated_at timestamptz, payload text);
    INSERT INTO zipped SELECT n, timestamptz '2026-01-31', CASE WHEN n > 250 THEN repeat('x', 900) END FROM generate_series(1, 500) n`);

/** With a server that never answers and one that hangs up, and the code of the error that belongs to each. */
export const withBadServers = async (
  ask: (endpoint: string, code: string) => Promise<void>,
): Promise<void> => {
  const silent = createSocketServer(() => {});
  const rude = createSocketServer((socket) => socket.destroy());
  for (const [server, code] of [
    [silent, 'no_answer'],
    [rude, 'connection_lost'],
  ] as const) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, code);
    server.close();
  }
};
