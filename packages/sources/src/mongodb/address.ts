/** The URL of a MongoDB. Only options that name no file of this machine are taken. */
import { bad } from '../source-error.ts';
import { decoded } from '../sql/address.ts';

const grammar = /^mongodb(?:\+srv)?:\/\/(?:[^@/?]*@)?([^@/?]+)\/([^/?]+)(?:\?(.*))?$/;

const allowed = new Set(
  'replicaset authsource authmechanism readpreference directconnection loadbalanced retryreads compressors'.split(
    ' ',
  ),
);

export interface MongoAddress {
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
