/** A client of MongoDB, and the database of its URL. */
import os from 'node:os';
import { type Db, MongoClient } from 'mongodb';
import type { Session as AnySession } from '../server/protocol.ts';
import { type Tls, tlsOptions } from '../settings.ts';
import { bad } from '../source-error.ts';
import { decoded } from '../sql/address.ts';

const grammar = /^mongodb(?:\+srv)?:\/\/(?:[^@/?]*@)?([^@/?]+)\/([^/?]+)(?:\?(.*))?$/;

/** None that names a file of this machine. */
const allowed = new Set(
  'replicaset authsource authmechanism readpreference directconnection loadbalanced retryreads compressors'.split(
    ' ',
  ),
);

interface MongoAddress {
  readonly url: string;
  readonly database: string;
  readonly at: string;
}

export const readMongoAddress = (url: string): MongoAddress => {
  const [, hosts, database, options = ''] = grammar.exec(url) ?? [];
  if (!hosts || !database) throw bad('the URL must look like mongodb://user:password@host:port/database');
  for (const name of new URLSearchParams(options).keys())
    if (!allowed.has(name.toLowerCase())) throw bad(`the URL may not have the option ${name.slice(0, 40)}`);
  return { url, database: decoded(database), at: hosts.slice(0, 200) };
};

export interface Session extends AnySession {
  readonly db: Db;
  /** For questions about a collection. */
  readonly maxTimeMS: number;
  connected(): Promise<unknown>;
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

export const connect = (
  { url, database }: MongoAddress,
  tls: Tls | undefined,
  { connectMs, statementMs }: { connectMs: number; statementMs: number },
): Session => {
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
  return {
    db: client.db(database),
    maxTimeMS: statementMs,
    connected: () => Promise.race([failureOf(client), client.connect()]),
    drop: () => void client.close().catch(() => {}),
  };
};
