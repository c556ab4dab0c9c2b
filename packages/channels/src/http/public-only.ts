/** Looks up hosts, and finds only those that are not in a private network. */
import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPrivate } from './private-ips.ts';

/** The same for both: a stranger does not learn which names a private network has. */
class NoPublicHost extends Error {
  constructor(host: string) {
    super(`the host ${host} was not found, or is in a private network`);
  }
}

/** Judges the IP that is really connected to: a name may lead to another one a moment later. */
export const publicOnly: LookupFunction = (host, options, callback) => {
  lookUp(host, { ...options, all: true }, (error, found) => {
    if (error || found.some(({ address }) => isPrivate(address)))
      return callback(new NoPublicHost(host), '', 0);
    if (options.all) return callback(null, found);
    const [first] = found;
    callback(null, first?.address ?? '', first?.family ?? 0);
  });
};
