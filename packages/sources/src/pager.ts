/** Makes pages of the rows that a source finds in order: within bounds, each row with the cursor behind it. */
import { bounds } from './bounds.ts';
import { digestOf, type Found, type Place, placeAfter, toCursor } from './place.ts';
import type { Page, PageRow, ReadOptions } from './source.ts';

type Limits = Pick<ReadOptions, 'pageRows' | 'pageBytes'>;

interface Group {
  readonly moment: string;
  readonly tie: string | null | undefined;
  /** Digests of its rows that were read: kept as soon as it has a second row. */
  readonly seen: string[];
}

export interface Pager {
  /** The page that is full, if the row does not fit into it. */
  add(found: Found): Page | undefined;
  /** What is left when no more rows come. */
  rest(): readonly Page[];
  /** What is left when the next rows may be of the same group. */
  cut(): readonly Page[];
  /** What is left of rows whose place is known: one row is held back. */
  soFar(): readonly Page[];
  /** Behind the last row that was added. */
  place(): Place | undefined;
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

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

export const createPager = (since: Place | undefined, { pageRows, pageBytes }: Limits): Pager => {
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
    add(found) {
      if (groups.isRepeated(found)) return undefined;
      const before = held;
      held = found;
      const [full] = before ? putInBounds(before, !groups.isIn(found)) : [];
      groups.open(found);
      return full;
    },
    rest: () => [...(held ? putInBounds(held, true) : []), ...flush()],
    cut: () => [...(held ? putInBounds(held, false) : []), ...flush()],
    soFar: flush,
    place: () => last,
  };
};
