/**
 * What doubles of warehouses share: a real PostgreSQL behind them runs their statements, after the words that it lacks were replaced. Order, places and
 * types are judged by a database, and not by code of ours.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { openServer, textOf, tokenIn } from '@roster/testkit';
import { Client } from 'pg';
import type { Person } from '../testbed.ts';

/** What is zipped unasked, as some servers do. */
export type Answer = readonly [status: number, body: unknown, isZipped?: boolean];

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export class Refusal extends Error {
  readonly answer: Answer;
  constructor(...answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** What the key of a user or an account has signed. */
export const claimsOf = ({ headers }: Asked) =>
  tokenIn((headers.authorization ?? '').replace('Bearer ', ''), publicKey) ?? {};

export { publicKey };
export const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

type Respond = (asked: Asked) => Promise<Answer>;

const answerTo = async (request: IncomingMessage, response: ServerResponse, respond: Respond) => {
  const { method = '', url = '', headers } = request;
  const asked = { method, url: new URL(url, 'http://double'), headers, body: await textOf(request) };
  const [status, body, isZipped] = await respond(asked).catch((error: unknown): Answer => {
    if (error instanceof Refusal) return error.answer;
    return [500, { double: String(error) }];
  });
  const text = JSON.stringify(body);
  response.writeHead(status, isZipped ? { 'content-encoding': 'gzip' } : {});
  response.end(isZipped ? gzipSync(text) : text);
};

/** A database of its own on a server: a server takes a second of CPU to start. */
export const makeDatabase = async (url: string, name: string): Promise<string> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: name }).href;
};

type Rows = readonly (readonly (string | null)[])[];

export interface Column {
  readonly name: string;
  /** As PostgreSQL names it. */
  readonly type: string;
}

export interface Result {
  readonly columns: readonly Column[];
  readonly rows: Rows;
  /** What PostgreSQL says is wrong. */
  readonly failure?: string;
  polls: number;
}

/** Rows of a part of a result: few, so that most results have several. */
const partRows = 250;
export const partOf = ({ rows }: Result, at: number): Rows => rows.slice(at * partRows, (at + 1) * partRows);
export const partsIn = ({ rows }: Result): number => Math.max(1, Math.ceil(rows.length / partRows));

/** How a double behaves: a test changes it. */
export const usual = {
  /** No statement has a result. */
  isHeld: false,
  /** The answer to a beginning waits for it. */
  gate: Promise.resolve(),
  /** So many parts at the end of a result are missing. */
  lostParts: 0,
  /** So many bytes a result may have before it is cut, where the server cuts results. */
  resultBytes: 16_777_216,
  begun: 0,
};

export const openEngine = async (url: string, words: string) => {
  const admin = new Client({ connectionString: url, types: { getTypeParser: () => String } });
  await admin.connect();
  await admin.query(`SET timezone = 'UTC'; ${words}`);
  const results = new Map<string, Result>();
  const behaviour = { ...usual };
  const cancelled: string[] = [];

  const columnsOf = async (quotedName: string): Promise<readonly Column[]> => {
    const { rows } = await admin.query(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
      [quotedName],
    );
    return rows;
  };
  const run = async (text: string, values: readonly string[]): Promise<Result> => {
    const described = /^SELECT \* FROM (.+) LIMIT 0$/.exec(text)?.[1];
    try {
      if (described) return { columns: await columnsOf(described), rows: [], polls: 0 };
      const { rows } = await admin.query({ text, values: [...values], rowMode: 'array' });
      return { columns: [], rows, polls: 0 };
    } catch (error) {
      return { columns: [], rows: [], polls: 0, failure: String(Reflect.get(Object(error), 'code')) };
    }
  };

  return {
    admin,
    behaviour,
    cancelled,
    columnsOf,
    /** A statement, as PostgreSQL writes it; its name. */
    async begin(text: string, values: readonly string[]): Promise<string> {
      const id = `statement-${results.size}`;
      results.set(id, await run(text, values));
      behaviour.begun += 1;
      await behaviour.gate;
      return id;
    },
    /** It is ready when it is asked for a second time. */
    resultOf(id: string): Result | 'running' | undefined {
      const result = results.get(id);
      if (!result) return undefined;
      result.polls += 1;
      return behaviour.isHeld || result.polls === 1 ? 'running' : result;
    },
    close: () => admin.end(),
  };
};

export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** A double on loopback. */
export const openDouble = async (url: string, words: string, respondWith: (engine: Engine) => Respond) => {
  const engine = await openEngine(url, words);
  const respond = respondWith(engine);
  const server = await openServer((request, response) => answerTo(request, response, respond));
  return {
    engine,
    endpoint: server.url,
    async close() {
      await server.close();
      await engine.close();
    },
  };
};

export const fillPeople = async ({ admin }: Engine, people: readonly Person[]): Promise<void> => {
  await admin.query(`DROP TABLE IF EXISTS people CASCADE;
    CREATE TABLE people (id text COLLATE "C", updated_at timestamptz, payload text)`);
  await admin.query(
    'INSERT INTO people SELECT id, at, payload FROM json_to_recordset($1) AS p(id text, at timestamptz, payload text)',
    [JSON.stringify(people)],
  );
};
