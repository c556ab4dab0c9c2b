/** A client of MongoDB, and the database of its URL. */
import os from 'node:os';
import { type Db, MongoClient } from 'mongodb';
import type { Session as AnySession } from '../server/protocol.ts';
import { within } from '../server/within.ts';
import type { Tls } from '../settings.ts';
import { tlsOptions } from '../tls.ts';
import type { MongoAddress } from './address.ts';

export interface Session extends AnySession {
  readonly db: Db;
  /** For questions about a collection. */
  readonly maxTimeMS: number;
}

const tlsFor = (tls: Tls | undefined) => {
  const options = tlsOptions(tls);
  if (!options) return { tls: false };
  const { rejectUnauthorized, ...ca } = options;
  return { tls: true, ...ca, ...(!rejectUnauthorized && { tlsAllowInvalidCertificates: true }) };
};

/** Rejects as soon as no server can be reached: the driver would try again until its time limit. */
const failureOf = (client: MongoClient): Promise<never> =>
  new Promise((_, reject) => {
    client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
      const errors = [...servers.values()].map(({ error }) => error);
      if (errors.length > 0 && errors.every(Boolean)) reject(errors[0]);
    });
  });

interface SessionOptions {
  readonly address: MongoAddress;
  readonly tls: Tls | undefined;
  readonly statementMs: number;
  readonly connectMs: number;
  /** Closes the client. */
  readonly end: AbortSignal;
}

export const openSession = async ({
  address: { url, database, at },
  tls,
  statementMs,
  connectMs,
  end,
}: SessionOptions): Promise<Session> => {
  end.throwIfAborted();
  const client = new MongoClient(url, {
    ...tlsFor(tls),
    appName: 'roster',
    connectTimeoutMS: connectMs,
    serverSelectionTimeoutMS: connectMs,
    maxPoolSize: 1,
    useBigInt64: true,
    readConcern: { level: 'majority' },
    runtimeAdapters: { os },
  });
  const drop = () => {
    end.removeEventListener('abort', drop);
    void client.close().catch(() => {});
  };
  end.addEventListener('abort', drop);
  const session = { db: client.db(database), maxTimeMS: statementMs, drop };
  return within(connectMs, at, session, async () => {
    await Promise.race([client.connect(), failureOf(client)]);
    return session;
  });
};
