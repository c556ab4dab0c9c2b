/**
 * Whether the board is requested under one of its own host names. While the board is open, a page on the internet could have its own name
 * point to this machine (DNS rebinding) and read the board in the browser of an operator. An IP address cannot be rebound.
 */
import { isIP } from 'node:net';

const local = /^localhost$|\.localhost$/;

const nameIn = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');

export type IsOurHost = (host: string | undefined) => boolean;

/** `names`: as they are configured, with commas between them. */
export const createIsOurHost = (names: string): IsOurHost => {
  const ours = new Set(
    names
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  );
  return (host) => {
    if (host === undefined) return false;
    const name = nameIn(host);
    return ours.has(name) || local.test(name) || isIP(name) !== 0;
  };
};
