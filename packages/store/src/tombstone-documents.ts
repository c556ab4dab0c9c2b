/** Tombstones as they are stored. */
import { createHmac } from 'node:crypto';
import { type Ending, type Fate, fateIn, withEnding } from '@roster/profile';
import type { TombstoneDocument } from './documents.ts';

/** A tombstone before it is written. */
export interface NewTombstone extends Ending {
  ws: string;
  /** The identity key. */
  key: string;
  /** Not before the last job or dead letter that it could concern is gone. */
  expires: Date;
}

const digestBytes = 18;

/** 144 bits: no two identifiers share one, and without the secret identifiers cannot be tried out. */
export const digestOf = (secret: string, key: string): string =>
  createHmac('sha256', secret).update(key).digest().subarray(0, digestBytes).toString('base64url');

export const secretFrom = (secret: string | undefined): string => {
  if (secret) return secret;
  throw new Error('tombstones need the secret: openStore({ secret: config.ROSTER_SECRET })');
};

export const fatesIn = ({ earlier = [], ...last }: TombstoneDocument): Fate[] => [
  ...earlier.map(fateIn),
  fateIn(last),
];

export const documentOf = (
  _id: string,
  { ws, key, expires, ...ending }: NewTombstone,
  before: TombstoneDocument | undefined,
): TombstoneDocument => {
  const fates = withEnding(before ? fatesIn(before) : [], ending);
  const [last, earlier] = [fates.at(-1) ?? fateIn(ending), fates.slice(0, -1)];
  return { _id, ws, ...last, ...(earlier.length > 0 && { earlier }), expires };
};

export const replacement = (document: TombstoneDocument) => ({
  replaceOne: { filter: { _id: document._id }, replacement: document },
});
