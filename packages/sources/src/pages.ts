/**
 * Reads a source in stretches: each is one statement, and the next one goes on behind the last row of the one before. Rows become
 * pages, each row with the cursor behind it.
 */

import { bounds, megabytes } from './bounds.ts';
import { digestOf, type Found, type Place, placeAfter, toCursor, toPlace } from './place.ts';
import type { Page, PageRow, ReadOptions } from './source.ts';
import { tooManyAlike } from './source-error.ts';

interface Group extends Pick<Place, 'moment' | 'tie'> {
  /** Digests of its rows that were read: kept as soon as it has a second row. */
  readonly seen: string[];
}

export const tooLarge = (bytes: number): string =>
  `the row has ${megabytes(bytes)}, and a row may have ${megabytes(bounds.rowBytes)}`;

const pageRow = (found: Found, place: Place): PageRow => {
  const cursor = { ...toCursor(place), ...(found.key !== undefined && { key: found.key }) };
  if (found.row) return { row: found.row, cursor };
  return {
    problem: found.problem ?? tooLarge(found.bytes),
    id: found.id === undefined ? found.tie : found.id,
    cursor,
  };
};

/** A row whose digest is in the group was read before the interruption. */
const createGroups = (since: Place | undefined) => {
  let group: Group | undefined = since && { moment: since.moment, tie: since.tie, seen: [...since.seen] };
  const repeated = [...(since?.seen ?? [])];
  const isIn = (found: Found): boolean => group?.moment === found.moment && group.tie === found.tie;
  return {
    isRepeated(found: Found): boolean {
      if (repeated.length === 0 || !isIn(found)) return false;
      const at = repeated.indexOf(digestOf(found));
      if (at >= 0) repeated.splice(at, 1);
      return at >= 0;
    },
    isIn,
    open(found: Found): void {
      if (!isIn(found)) group = { moment: found.moment, tie: found.tie, seen: [] };
    },
    /** Those of the group so far, `found` included. */
    see(found: Found): readonly string[] {
      if (group) group.seen.push(digestOf(found));
      return group?.seen ?? [];
    },
  };
};

const createPager = (since: Place | undefined, { pageRows, pageBytes }: ReadOptions) => {
  const groups = createGroups(since);
  let rows: PageRow[] = [];
  let bytes = 0;
  /** Its cursor depends on the next row: whether it is of the same group. */
  let held: Found | undefined;
  let last: Place | undefined;

  const put = (found: Found, isLast: boolean): void => {
    last = placeAfter(found, isLast ? [] : groups.see(found));
    rows.push(pageRow(found, last));
    bytes += found.row ? found.bytes : 0;
  };
  const flush = (): readonly Page[] => {
    const pages = rows.length > 0 ? [{ rows }] : [];
    rows = [];
    bytes = 0;
    return pages;
  };
  const isFull = (next: Found): boolean => rows.length >= pageRows || bytes + next.bytes > pageBytes;
  const putInBounds = (found: Found, isLast: boolean): readonly Page[] => {
    const full = isFull(found) ? flush() : [];
    put(found, isLast);
    return full;
  };

  return {
    /** The page that is full, if the row does not fit into it. */
    add(found: Found): Page | undefined {
      if (groups.isRepeated(found)) return undefined;
      const before = held;
      held = found;
      const [full] = before ? putInBounds(before, !groups.isIn(found)) : [];
      groups.open(found);
      return full;
    },
    /** What is left when no more rows come, or when the next ones may be of the same group. */
    rest: (isLast: boolean) => [...(held ? putInBounds(held, isLast) : []), ...flush()],
    /** What is left of rows whose place is known: one row is held back. */
    soFar: flush,
    /** Behind the last row that was added. */
    place: (): Place | undefined => last,
  };
};

/**
 * Finds the rows after a place, in order. When its caller stops, it frees what it holds. After `more`, which is its last word, there
 * may be more rows: its statement had a bound.
 */
export type Find = (
  since: Place | undefined,
  signal: AbortSignal,
) => AsyncIterable<readonly Found[] | 'more'>;

/** A group that fills a whole statement would be read for ever. */
const further = (since: Place | undefined, place: Place | undefined): Place => {
  if (place && JSON.stringify(place) !== JSON.stringify(since)) return place;
  throw tooManyAlike();
};

/** Its result is the place from which to go on; nothing at the end of the rows. */
async function* stretch(find: Find, since: Place | undefined, options: ReadOptions, stretchMs: number) {
  const pager = createPager(since, options);
  let began: number | undefined;
  for await (const chunk of find(since, options.signal)) {
    if (chunk === 'more') {
      yield* pager.rest(false);
      return further(since, pager.place());
    }
    began ??= performance.now();
    for (const found of chunk) {
      const page = pager.add(found);
      if (!page) continue;
      yield page;
      options.signal.throwIfAborted();
    }
    // Inside of a group the next statement might read the same rows again.
    if (performance.now() - began > stretchMs && pager.place()?.isOpen === false) {
      yield* pager.soFar();
      return pager.place();
    }
  }
  yield* pager.rest(true);
  return undefined;
}

export async function* readPages(find: Find, options: ReadOptions, stretchMs: number) {
  let place = options.since && toPlace(options.since);
  do {
    options.signal.throwIfAborted();
    place = yield* stretch(find, place, options, stretchMs);
  } while (place);
}
