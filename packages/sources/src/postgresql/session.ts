/** A connection in one read-only transaction, whose settings end with it, so that a pooler's next client does not inherit them. */
import { Client } from 'pg';
import { bounds } from '../bounds.ts';
import { timedOut, wasLost } from '../network-errors.ts';
import type { Tls } from '../settings.ts';
import type { Address } from '../sql/address.ts';
import { tlsOptions } from '../tls.ts';
import { notPostgresql, toSourceError } from './errors.ts';

export interface Session {
  readonly client: Client;
  /** Called with what ended the connection. */
  onFailure(heard: (error: unknown) => void): void;
  /** Rejects with what ended the connection. */
  readonly failed: Promise<never>;
  /** A row has come: what follows is counted anew. */
  progress(): void;
  drop(): void;
}

const settings = {
  lock_timeout: bounds.questionMs,
  idle_in_transaction_session_timeout: bounds.stretchMs,
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'iso_8601',
  bytea_output: 'hex',
  extra_float_digits: 1,
};

const begin = (statementMs: number): string =>
  [
    'BEGIN READ ONLY',
    ...Object.entries({ ...settings, statement_timeout: statementMs }).map(
      ([name, value]) => `SET LOCAL ${name} = '${value}'`,
    ),
  ].join('; ');

const clientFor = ({ host, port, user, password, database }: Address, tls: Tls | undefined): Client =>
  new Client({
    host,
    port,
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

/** A peer may send without end what is no row, also before it has let us in. */
const createMeter = (client: Client, isPlain: boolean, tooMuch: () => void) => {
  let unasked = 0;
  const count = (data: Buffer): void => {
    unasked += data.length;
    if (unasked > bounds.unaskedBytes) tooMuch();
  };
  const { connection } = client;
  // TLS puts a stream of its own in the place of the first one.
  if (isPlain) connection.stream.on('data', count);
  else connection.once('sslconnect', () => connection.stream.on('data', count));
  return () => {
    unasked = 0;
  };
};

const watch = (client: Client, address: Address, isPlain: boolean): Session => {
  let failure: unknown;
  const listeners: ((error: unknown) => void)[] = [];
  const fail = (error: unknown) => {
    failure ??= error;
    for (const heard of listeners) heard(failure);
  };
  const failed = new Promise<never>((_, reject) => listeners.push(reject));
  failed.catch(() => {});
  const drop = () => void client.connection.stream.destroy();
  client.on('error', fail);
  client.on('end', () => fail(wasLost(address.at)));
  const onFailure = (listener: (error: unknown) => void) => {
    listeners.push(listener);
    if (failure) listener(failure);
  };
  const progress = createMeter(client, isPlain, () => {
    fail(notPostgresql(address));
    drop();
  });
  return { client, onFailure, failed, progress, drop };
};

/** A peer that never answers is dropped. */
export const within = async <T>(
  ms: number,
  address: Address,
  drop: () => void,
  work: () => Promise<T>,
): Promise<T> => {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    drop();
  }, ms);
  try {
    return await work();
  } catch (error) {
    drop();
    throw isLate ? timedOut(address.at) : toSourceError(error, address);
  } finally {
    clearTimeout(timer);
  }
};

interface SessionOptions {
  readonly address: Address;
  readonly tls: Tls | undefined;
  readonly statementMs: number;
  readonly connectMs: number;
  /** Drops the connection. */
  readonly end: AbortSignal;
}

export const openSession = ({
  address,
  tls,
  statementMs,
  connectMs,
  end,
}: SessionOptions): Promise<Session> => {
  end.throwIfAborted();
  const client = clientFor(address, tls);
  const session = watch(client, address, !tlsOptions(tls));
  end.addEventListener('abort', session.drop);
  client.once('end', () => end.removeEventListener('abort', session.drop));
  return within(connectMs, address, session.drop, async () => {
    await Promise.race([client.connect(), session.failed]);
    await client.query(begin(statementMs));
    return session;
  });
};
