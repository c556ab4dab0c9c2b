/**
 * What became of the rows that a sync may read again: by 8 bytes of the key and the time of a row, the 8 bytes of what it said last. Several
 * rows may share both: those that were read together count together.
 */
import { hash } from 'node:crypto';
import type { Entry } from '@roster/integrations';
import type { Store, SyncChunkDocument } from '@roster/store';
import { createNumbers } from './table-of-numbers.ts';

export const hashBytes = 8;

/** Of an integration. Beyond it the oldest are forgotten, and nothing before them is read again. */
export const mostRemembered = 2_000_000;

/** Of what a row says, with its time and what tells it from others. */
export const hashOf = (...parts: readonly string[]): Buffer =>
  hash('sha256', parts.join('\n'), 'buffer').subarray(0, hashBytes);

/** By what a row is recognized: 8 bytes of what it says, and what tells it from others. */
export interface Seen {
  hash: Buffer;
  /** 8 bytes of its key and its time. */
  id?: Buffer;
  key: string;
  /** The same as people read it, where that is another text. */
  name?: string;
}

export const nameOf = (seen: Seen | undefined): string => seen?.name ?? seen?.key ?? '';

/** The hash of the row that is looked at, as it would be under another layout; nothing where that names columns that are gone. */
export type HashUnder = (layout: string) => Buffer | undefined;

/** How columns are mapped now, and which of the ways of before can still be followed. */
interface KnownLayouts {
  name: string;
  isReadable(layout: string): boolean;
}

/** What has become of rows before: those of a window, or of a whole table. */
export interface KnownRows {
  knows(seen: Seen, entry: Entry | undefined, hashUnder?: HashUnder): boolean;
}

type Part = Pick<SyncChunkDocument, 'job' | 'hashes' | 'ids' | 'layout'>;

const wordIn = (bytes: Buffer, at = 0): bigint => bytes.readBigUInt64BE(at * hashBytes);

interface MemoryOptions {
  /** Whether a later row with the same key takes the place of an earlier one: then only the last reading counts. */
  replaces: boolean;
  layouts: KnownLayouts;
  /** Of rows whose columns are gone: whether they are known by key and time alone. Events and purchases are. */
  countsOnce?: boolean;
}

const rowsIn = ({ hashes }: Part): number => hashes.length / hashBytes;

/** In the order in which they were saved. */
const remember = (parts: readonly Part[], { replaces, layouts, countsOnce = false }: MemoryOptions) => {
  const size = parts.reduce((sum, part) => sum + rowsIn(part), 0);
  /** The reading in which a row was met last, and in which it said this. */
  const [met, said] = [createNumbers(size), createNumbers(size)];
  const unreadable = new Set<number>();
  const names = new Set<string>();
  let [reading, last] = [0, ''];
  for (const part of parts) {
    const { job, layout = layouts.name, ids, hashes } = part;
    if (`${job} ${layout}` !== last) [reading, last] = [reading + 1, `${job} ${layout}`];
    names.add(layout);
    if (!layouts.isReadable(layout)) unreadable.add(reading);
    for (let at = 0; at < rowsIn(part); at += 1) {
      const content = wordIn(hashes, at);
      // Those of an earlier version say only what was there.
      const id = ids ? wordIn(ids, at) : 0n;
      if (ids) met.set(id, reading);
      said.set(id ^ content, reading);
    }
  }
  const knowsAs = (id: bigint, content: bigint, lastMet: number): boolean => {
    const found = said.get(id ^ content);
    return found !== 0 && (!replaces || found === lastMet);
  };
  const knows: KnownRows['knows'] = ({ hash: now, id: own }, _entry, hashUnder) => {
    const id = own && wordIn(own);
    const lastMet = id === undefined ? 0 : met.get(id);
    if (id === undefined || lastMet === 0) return said.get(wordIn(now)) !== 0;
    if (countsOnce && unreadable.has(lastMet)) return true;
    for (const name of names) {
      const then = name === layouts.name ? now : hashUnder?.(name);
      if (then && knowsAs(id, wordIn(then), lastMet)) return true;
    }
    return false;
  };
  return { knows, size };
};

export const loadMemory = async (
  { syncs }: Pick<Store, 'syncs'>,
  integration: string,
  options: MemoryOptions = { replaces: true, layouts: { name: '', isReadable: () => true } },
): Promise<KnownRows & { size: number }> => {
  const parts = await syncs.chunks
    .find<Part>(
      { integration, state: 'done' },
      {
        sort: { at: 1 },
        projection: { _id: 0, job: 1, hashes: 1, ids: 1, layout: 1 },
        promoteBuffers: true,
      },
    )
    .toArray();
  return remember(parts, options);
};
