/** A connection in one transaction, read-only but for logs, whose settings end with it, so that a pooler's next client does not inherit them. */
import { Client, Query, type QueryArrayConfig } from 'pg';
import { bounds } from '../bounds.ts';
import { openSocket } from '../names.ts';
import { wasLost } from '../network-errors.ts';
import { createWatch } from '../server/watch.ts';
import { type Tls, tlsOptions } from '../settings.ts';
import { bad, type SourceError, tooMuchAtOnce } from '../source-error.ts';
import type { Address } from '../sql/address.ts';
import type { Statement } from '../sql/statements.ts';
import { notPostgresql } from './errors.ts';

const usualSettings = {
  lock_timeout: bounds.questionMs,
  idle_in_transaction_session_timeout: bounds.stretchMs,
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'iso_8601',
  bytea_output: 'hex',
  extra_float_digits: 1,
};

/** A statement whose client is gone would go on until its time limit. PostgreSQL 13 can't look for it. */
const lookForClient =
  "SELECT set_config(name, '5s', true) FROM pg_settings WHERE name = 'client_connection_check_interval'";

type Mode = 'READ ONLY' | 'READ WRITE';

export const beginning = (
  mode: Mode,
  statementMs: number,
  settings: Readonly<Record<string, string | number>>,
  more: readonly string[] = [],
): string =>
  [
    `BEGIN ${mode}`,
    ...more,
    ...Object.entries({ ...settings, statement_timeout: statementMs }).map(
      ([name, value]) => `SET LOCAL ${name} = '${value}'`,
    ),
  ].join('; ');

export const usualBeginning = (mode: Mode, statementMs: number): string =>
  beginning(mode, statementMs, usualSettings, [lookForClient]);

const clientFor = ({ host, port, user, password, database }: Address, tls: Tls | undefined): Client =>
  new Client({
    host,
    port,
    stream: openSocket,
    user,
    // A function: for an empty text the driver would take a password of this machine's own.
    password: () => password,
    database,
    ssl: tlsOptions(tls) ?? false,
    keepAlive: true,
    application_name: 'roster',
    // Cells come as texts: a Date would cut moments to milliseconds.
    types: { getTypeParser: () => String },
  });

const sessionOf = (client: Client, address: Address, isPlain: boolean) => {
  const { connection } = client;
  const drop = (why?: SourceError): void => void connection.stream.destroy(why);
  const { fail, failed, count, progress, rowsOf } = createWatch((is) => {
    const why = is === 'stranger' ? notPostgresql(address) : tooMuchAtOnce(address.at, bounds.unaskedBytes);
    fail(why);
    // Queries that wait hear of it too.
    drop(why);
  });
  client.on('error', fail);
  client.on('end', () => fail(wasLost(address.at)));
  // TLS puts a stream of its own in the place of the first one.
  if (isPlain) connection.stream.on('data', count);
  else connection.once('sslconnect', () => connection.stream.on('data', count));
  /** The rows of a statement, while the socket is paused whenever enough of them wait. */
  const stream = ({ text, values }: Statement) => {
    const asArrays: QueryArrayConfig = { text, values: [...values], rowMode: 'array' };
    const query = new Query(asArrays);
    const flow = rowsOf(connection.stream, query, 'row');
    client.query(query);
    return flow;
  };
  return {
    client,
    failed,
    progress,
    stream,
    drop: () => drop(),
    end: () => client.query('ROLLBACK').then(() => client.end()),
    /** Once the driver listens itself. */
    guard: () => isPlain && keepPassword(client, address, fail),
  };
};

export type Session = ReturnType<typeof sessionOf>;

export const connect = (address: Address, tls: Tls | undefined): Session =>
  sessionOf(clientFor(address, tls), address, !tlsOptions(tls));

const clearPassword = 'authenticationCleartextPassword';

/** Whoever stands between may ask for it: the driver would tell it. */
const keepPassword = ({ connection }: Client, { at }: Address, fail: (why: SourceError) => void): void => {
  connection.removeAllListeners(clearPassword);
  connection.once(clearPassword, () => {
    const why = bad(
      `${at} wants the password in clear: use TLS, or SCRAM (password_encryption) at the server`,
    );
    fail(why);
    connection.stream.destroy(why);
  });
};

export const join = async ({ client, failed, progress, guard }: Session): Promise<void> => {
  const connecting = client.connect();
  guard();
  await Promise.race([connecting, failed]);
  progress();
};

export const begin = async (session: Session, text: string): Promise<void> => {
  await join(session);
  await session.client.query(text);
  session.progress();
};
