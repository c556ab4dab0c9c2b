/** Looks up hosts, and finds only those that are not in a private network. */
import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPrivate } from './private-ips.ts';

export class PrivateHost extends Error {
  constructor(host: string) {
    super(`${host} is in a private network`);
  }
}

/** Judges the IP that is really connected to: a name may lead to another one a moment later. */
export const publicOnly: LookupFunction = (host, options, callback) => {
  lookUp(host, { ...options, all: true }, (error, found) => {
    const hidden = found?.find(({ address }) => isPrivate(address));
    if (error || hidden) return callback(error ?? new PrivateHost(host), '', 0);
    if (options.all) return callback(null, found);
    const [first] = found;
    callback(null, first?.address ?? '', first?.family ?? 0);
  });
};
