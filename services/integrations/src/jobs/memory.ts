/** Which rows were applied, or failed, of those that a sync may read again: 8 bytes of each. */
import { hash } from 'node:crypto';
import type { Entry } from '@roster/integrations';
import type { Store } from '@roster/store';

export const hashBytes = 8;

/** Of an integration. Beyond it the oldest are forgotten, and nothing before them is read again. */
export const mostRemembered = 2_000_000;

/** Of what a row says, with its time and what tells it from others. */
export const hashOf = (...parts: readonly string[]): Buffer =>
  hash('sha256', parts.join('\n'), 'buffer').subarray(0, hashBytes);

/** By what a row is recognized: 8 bytes of what it says, and what tells it from others. */
export interface Seen {
  hash: Buffer;
  key: string;
  /** The same as people read it, where that is another text. */
  name?: string;
}

export const nameOf = (seen: Seen | undefined): string => seen?.name ?? seen?.key ?? '';

/** What has become of rows before: those of a window, or of a whole table. */
export interface KnownRows {
  knows(seen: Seen, entry: Entry | undefined): boolean;
}

const find = (sorted: BigUint64Array, wanted: bigint): boolean => {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as bigint) < wanted) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === wanted;
};

export const loadMemory = async (
  { syncs }: Pick<Store, 'syncs'>,
  integration: string,
): Promise<KnownRows & { size: number }> => {
  const parts: Buffer[] = [];
  const found = syncs.chunks.find<{ hashes: Buffer }>(
    { integration },
    { projection: { hashes: 1 }, promoteBuffers: true },
  );
  for await (const { hashes } of found) parts.push(hashes);
  const bytes = Buffer.concat(parts);
  const all = new BigUint64Array(bytes.length / hashBytes);
  for (let index = 0; index < all.length; index += 1) all[index] = bytes.readBigUInt64BE(index * hashBytes);
  all.sort();
  return { knows: ({ hash }) => find(all, hash.readBigUInt64BE(0)), size: all.length };
};
