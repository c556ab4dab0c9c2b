/** The requests of a batch, in the order in which they are sent: one at a time, so that nothing overtakes. */
import { type Entry, lists } from './entry.ts';
import type { Limits } from './options.ts';

/** A request that is being filled. */
export interface Draft {
  /** Its place among all requests of the batch. */
  readonly number: number;
  /** In the order in which they came. */
  readonly entries: Entry[];
  readonly since: number;
  bytes: number;
  /** Something did not fit, or it is sent: it takes no more, and waits for no more. */
  isFull: boolean;
  /** The service was away while it waited: it fails with this, and is not sent. */
  lost?: unknown;
  /** Resolved when all its entries are settled. */
  readonly over: Promise<void>;
  end(): void;
}

const createDraft = (number: number): Draft => {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { number, entries: [], since: Date.now(), bytes: 0, isFull: false, over, end };
};

/** False when it does not fit. */
const take = (draft: Draft, entry: Entry, { maxEntries, maxBytes }: Limits): boolean => {
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

const mostOfOnePerson = 100;

/** The last request with entries of a person: later ones go into it or behind it. */
interface Last {
  draft: Draft;
  count: number;
  rank: number;
}

export const createDrafts = (limits: Limits) => {
  const drafts: Draft[] = [];
  const lastOf = new Map<string, Last>();
  let made = 0;
  /** All requests before this number are full. */
  let open = 0;
  let hurried = 0;

  /** The first one from this number on that takes it. */
  const place = (entry: Entry, from: number): Draft => {
    const first = drafts[0]?.number ?? made;
    open = Math.max(open, first);
    while (drafts[open - first]?.isFull) open += 1;
    for (let at = Math.max(open, from) - first; at < drafts.length; at++) {
      const draft = drafts[at];
      if (draft && take(draft, entry, limits)) return draft;
    }
    const draft = createDraft(made++);
    drafts.push(draft);
    take(draft, entry, limits);
    return draft;
  };

  /** The service applies attributes first, then events, then purchases: an entry before its last one's kind goes behind it. */
  const mayJoin = ({ draft, count, rank }: Last, entry: Entry): boolean =>
    rank <= entry.rank && count < mostOfOnePerson && take(draft, entry, limits);

  return {
    add(entry: Entry): void {
      const last = lastOf.get(entry.person);
      if (last && mayJoin(last, entry)) {
        last.count += 1;
        last.rank = entry.rank;
        return;
      }
      const draft = place(entry, last ? last.draft.number + 1 : 0);
      lastOf.set(entry.person, { draft, count: 1, rank: entry.rank });
    },
    /** The next one to send, when it is full or has waited long enough; else how long it will still wait. */
    due(now: number): Draft | number | undefined {
      const [first] = drafts;
      if (!first) return undefined;
      const leftMs = first.since + limits.maxDelay - now;
      if (!first.isFull && hurried === 0 && drafts.length === 1 && leftMs > 0) return leftMs;
      hurried = Math.max(0, hurried - 1);
      drafts.shift();
      first.isFull = true;
      for (const { person } of first.entries) if (lastOf.get(person)?.draft === first) lastOf.delete(person);
      return first;
    },
    /** There is one that need not wait. */
    isUrgent: (): boolean => drafts.length > 1 || drafts[0]?.isFull === true,
    /** Those that are there now wait no longer. */
    hurry(): void {
      hurried = drafts.length;
    },
    /** The service is away: those that are there now have waited long enough. */
    lose(error: unknown): void {
      for (const draft of drafts) {
        draft.lost = error;
        draft.isFull = true;
      }
    },
    all: (): readonly Draft[] => drafts,
  };
};

export type Drafts = ReturnType<typeof createDrafts>;
