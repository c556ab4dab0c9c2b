/** A request that is being filled. */
import { type Entry, lists } from './entry.ts';
import type { Limits } from './options.ts';

export interface Draft {
  /** Its place among all requests of the batch. */
  readonly number: number;
  /** In the order in which they came. */
  readonly entries: Entry[];
  readonly since: number;
  bytes: number;
  /** Something did not fit, or it is sent: it takes no more, and waits for no more. */
  isFull: boolean;
  /** Resolved when all its entries are settled. */
  readonly over: Promise<void>;
  end(): void;
}

export const createDraft = (number: number): Draft => {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { number, entries: [], since: Date.now(), bytes: 0, isFull: false, over, end };
};

/** False when it does not fit. */
export const take = (draft: Draft, entry: Entry, { maxEntries, maxBytes }: Limits): boolean => {
  if (draft.isFull) return false;
  const { entries } = draft;
  if (draft.bytes + entry.bytes > maxBytes && entries.length > 0) {
    draft.isFull = true;
    return false;
  }
  entries.push(entry);
  draft.bytes += entry.bytes + 1;
  draft.isFull = entries.length >= maxEntries;
  return true;
};

/** Made of the entries' own texts: each is written out once. */
export const bodyOf = (entries: readonly Entry[]): string => {
  const texts: string[][] = lists.map(() => []);
  for (const { rank, text } of entries) texts[rank]?.push(text);
  const parts = lists.flatMap((list, rank) => {
    const all = texts[rank] ?? [];
    return all.length > 0 ? [`"${list}":[${all.join()}]`] : [];
  });
  return `{${parts.join()}}`;
};
