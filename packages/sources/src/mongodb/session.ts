/** A client of MongoDB, and the database of its URL. */
import os from 'node:os';
import { MongoClient } from 'mongodb';
import type { Limits } from '../bounds.ts';
import { lookup } from '../names.ts';
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

export const readMongoAddress = (url: string) => {
  const [, hosts, database, options = ''] = grammar.exec(url) ?? [];
  if (!hosts || !database) throw bad('the URL must look like mongodb://user:password@host:port/database');
  for (const name of new URLSearchParams(options).keys())
    if (!allowed.has(name.toLowerCase())) throw bad(`the URL may not have the option ${name.slice(0, 40)}`);
  return { url, database: decoded(database), at: hosts.slice(0, 200) };
};

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
  { url, database }: ReturnType<typeof readMongoAddress>,
  tls: Tls | undefined,
  { connectMs, statementMs }: Pick<Limits, 'connectMs' | 'statementMs'>,
) => {
  const client = new MongoClient(url, {
    ...tlsFor(tls),
    lookup,
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
    /** For questions about a collection. */
    maxTimeMS: statementMs,
    connected: () => Promise.race([failureOf(client), client.connect()]),
    // Nothing of it is used any more.
    drop: () => void client.close().catch(() => {}),
  };
};

export type Session = ReturnType<typeof connect>;
