/** A connection in one read-only transaction. */
import { isIP, Socket } from 'node:net';
import { type Connection, createConnection } from 'mysql2';
import { bounds } from '../bounds.ts';
import { connectTo } from '../names.ts';
import { wasLost } from '../network-errors.ts';
import { createWatch, isRaw } from '../server/watch.ts';
import { type Tls, tlsOptions } from '../settings.ts';
import { bad, tooMuchAtOnce } from '../source-error.ts';
import type { Address } from '../sql/address.ts';
import type { Raw } from '../sql/rows.ts';
import { notMysql } from './errors.ts';

/** MySQL limits SELECTs in milliseconds, MariaDB statements in seconds: each knows one of them. */
const limits = (ms: number): string[] => [
  `SET SESSION max_statement_time = ${ms / 1_000}`,
  `SET SESSION max_execution_time = ${ms}`,
];

const settings = [
  `SET SESSION sql_mode = '', time_zone = '+00:00', lock_wait_timeout = ${bounds.questionMs / 1_000}`,
  `SET SESSION net_write_timeout = ${bounds.stretchMs / 1_000}`,
];

/** The driver compares a certificate with the name of a host; for an address it would take one of `localhost`. */
export const assertVerifiable = ({ host }: Address, { mode = 'verify' }: Tls = {}): void => {
  if (mode === 'verify' && isIP(host))
    throw bad(
      `the certificate of ${host} can't be verified: name the host instead of its address, or set tls to encrypt or off`,
    );
};

const connectionTo = ({ host, port, user, password, database }: Address, tls: Tls | undefined) => {
  const ssl = tlsOptions(tls);
  return createConnection({
    host,
    stream: () => connectTo(host, port),
    user,
    password,
    database,
    ...(ssl && { ssl: { ...ssl, verifyIdentity: ssl.rejectUnauthorized } }),
    charset: 'utf8mb4',
    // `within` ends what takes too long.
    connectTimeout: 0,
    rowsAsArray: true,
    // Cells come as texts: a Date would cut moments to milliseconds.
    typeCast: (field) => field.string(),
    // A server may not ask for files of this machine.
    flags: ['-LOCAL_FILES'],
  });
};

const streamOf = (connection: Connection): Socket => {
  const stream = 'stream' in connection && connection.stream;
  if (stream instanceof Socket) return stream;
  throw new Error('the driver has no socket');
};

/** TLS puts a stream of its own in the place of the first one. */
const meterStream = (connection: Connection, count: (data: Buffer) => void): void => {
  const stream = streamOf(connection);
  stream.on('data', (data: Buffer) => {
    count(data);
    if (streamOf(connection) !== stream) meterStream(connection, count);
  });
};

const sessionOf = (connection: Connection, address: Address) => {
  const { fail, failed, count, progress, rowsOf } = createWatch((is) => {
    fail(is === 'stranger' ? notMysql(address) : tooMuchAtOnce(address.at, bounds.unaskedBytes));
    drop();
  });
  const drop = (): void => {
    // The driver tells nobody of an end that it was asked for.
    fail(wasLost(address.at));
    connection.destroy();
    // The driver would wait for the end of what the peer sends.
    streamOf(connection).destroy();
  };
  connection.on('error', fail);
  connection.once('connect', progress);
  connection.on('end', () => fail(wasLost(address.at)));
  meterStream(connection, count);
  const ask = (text: string, values: readonly string[] = []): Promise<Raw[]> =>
    new Promise((resolve, reject) => {
      connection.query({ sql: text, values: [...values] }, (error, rows: unknown) => {
        progress();
        if (error) reject(error);
        else resolve(Array.isArray(rows) ? rows.filter(isRaw) : []);
      });
    });
  return {
    ask: (...asked: Parameters<typeof ask>): Promise<Raw[]> => Promise.race([ask(...asked), failed]),
    /** The rows of a statement, while the socket is paused whenever enough of them wait. */
    stream: (text: string) => rowsOf(connection, connection.query(text), 'result'),
    drop,
    end: async (): Promise<void> => {
      await ask('ROLLBACK');
      await new Promise((resolve) => {
        streamOf(connection).once('close', resolve);
        connection.end();
      });
    },
  };
};

export type Session = ReturnType<typeof sessionOf>;

export const connect = (address: Address, tls: Tls | undefined): Session =>
  sessionOf(connectionTo(address, tls), address);

export const prepare = async ({ ask }: Session, statementMs: number): Promise<void> => {
  for (const text of settings) await ask(text);
  const known = await Promise.allSettled(limits(statementMs).map((text) => ask(text)));
  if (!known.some(({ status }) => status === 'fulfilled')) throw new Error('no time limit for statements');
};

export const begin = async (session: Session, statementMs: number): Promise<void> => {
  await prepare(session, statementMs);
  await session.ask('START TRANSACTION READ ONLY');
};
