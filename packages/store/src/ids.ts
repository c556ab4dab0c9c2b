/** Ids under which things are stored. */
import { createHash } from 'node:crypto';

/** Made from the request that creates the thing, so that a repeated job makes the same one. */
export const idFrom = (kind: string, origin: string): string => {
  const hex = createHash('sha256').update(`${kind}\n${origin}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
};

/** The `_id` under which the userName or email of a dashboard user is claimed: the same in any letter case. */
export const dashboardClaim = (company: string, name: string): string =>
  `${company}\n${name.normalize('NFC').trim().toLowerCase()}`;
