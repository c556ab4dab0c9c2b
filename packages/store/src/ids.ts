/** Ids under which things are stored. */
import { createHash } from 'node:crypto';

/** Made from the request that creates the thing, so that a repeated job makes the same one. */
export const idFrom = (kind: string, origin: string): string =>
  createHash('sha256')
    .update(`${kind}\n${origin}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');

/** The `_id` under which the userName or email of a dashboard user is claimed: the same in any letter case. */
export const dashboardClaim = (company: string, name: string): string =>
  `${company}\n${name.normalize('NFC').trim().toLowerCase()}`;
