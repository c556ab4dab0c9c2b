/** A connection whose session reads only. */
import { type Connection, createConnection, type Query } from 'mysql2';
import { bounds } from '../bounds.ts';
import { createFlow, type Flow } from '../flow.ts';
import { timedOut } from '../network-errors.ts';
import type { Tls } from '../settings.ts';
import type { Address } from '../sql/address.ts';
import { tlsOptions } from '../tls.ts';
import { toSourceError } from './errors.ts';

export type Raw = readonly (string | null)[];

export interface Session {
  ask(text: string, values?: readonly string[]): Promise<Raw[]>;
  /** The rows of a statement, while the socket is paused whenever enough of them wait. */
  stream(text: string): Flow<Raw>;
  drop(): void;
}

/** MySQL limits SELECTs in milliseconds, MariaDB statements in seconds: each knows one of them. */
const limits = (ms: number): string[] => [
  `SET SESSION max_statement_time = ${ms / 1_000}`,
  `SET SESSION max_execution_time = ${ms}`,
];

const settings = [
  "SET SESSION sql_mode = '', time_zone = '+00:00', lock_wait_timeout = 15",
  `SET SESSION net_write_timeout = ${bounds.stretchMs / 1_000}`,
];

const connectionTo = (
  { host, port, user, password, database }: Address,
  tls: Tls | undefined,
): Connection => {
  const ssl = tlsOptions(tls);
  return createConnection({
    host,
    port,
    user,
    password,
    database,
    ...(ssl && { ssl }),
    charset: 'utf8mb4',
    connectTimeout: bounds.connectMs,
    enableKeepAlive: true,
    rowsAsArray: true,
    // Cells come as texts: a Date would cut moments to milliseconds.
    typeCast: (field) => field.string(),
    // A server may ask for any file of this machine.
    infileStreamFactory: () => {
      throw new Error('no file is given away');
    },
  });
};

const isRaw = (row: unknown): row is Raw => Array.isArray(row);

const textBytes = (row: Raw): number => row.reduce((sum, text) => sum + (text?.length ?? 0), 0);

const createSession = (
  connection: Connection,
  onLost: (heard: (error: unknown) => void) => void,
): Session => ({
  ask: (text, values = []) =>
    new Promise((resolve, reject) => {
      connection.query({ sql: text, values: [...values] }, (error, rows: unknown) =>
        error ? reject(error) : resolve(Array.isArray(rows) ? rows.filter(isRaw) : []),
      );
    }),
  stream(text) {
    const flow = createFlow<Raw>({ pause: () => connection.pause(), resume: () => connection.resume() });
    onLost(flow.fail);
    const query: Query = connection.query(text);
    query.on('result', (row: unknown) => {
      if (isRaw(row)) flow.push(row, textBytes(row));
    });
    query.on('error', flow.fail);
    query.on('end', flow.end);
    return flow;
  },
  drop: () => connection.destroy(),
});

const begin = async (session: Session, statementMs: number): Promise<void> => {
  for (const text of settings) await session.ask(text);
  const known = await Promise.all(
    limits(statementMs).map((text) =>
      session.ask(text).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (!known.includes(true)) throw new Error('the server has no time limit for statements');
  await session.ask('SET SESSION TRANSACTION READ ONLY');
  await session.ask('START TRANSACTION READ ONLY');
};

/** A peer that never answers is dropped. */
export const within = async <T>(
  ms: number,
  address: Address,
  drop: () => void,
  work: Promise<T>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(address.at)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    drop();
    throw toSourceError(error, address);
  } finally {
    clearTimeout(timer);
  }
};

export const openSession = (
  address: Address,
  tls: Tls | undefined,
  { statementMs, connectMs }: { statementMs: number; connectMs: number },
): Promise<Session> => {
  const connection = connectionTo(address, tls);
  let failure: unknown;
  let heard = (_: unknown): void => {};
  connection.on('error', (error) => {
    failure ??= error;
    heard(failure);
  });
  const session = createSession(connection, (listener) => {
    heard = listener;
    if (failure) listener(failure);
  });
  return within(
    connectMs,
    address,
    session.drop,
    begin(session, statementMs).then(() => session),
  );
};
