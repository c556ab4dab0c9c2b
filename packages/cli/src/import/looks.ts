/** Columns that are imported as texts, and whose values look like something else. */
import { parseTime } from '@roster/contract';
import { quoted } from '../shown.ts';
import { booleanIn, commaNumberIn, isNothing, numberIn } from './cell-values.ts';
import type { Column } from './csv-rows.ts';

export interface Look {
  column: string;
  looks_like: string;
  sentence: string;
}

interface Kind {
  name: string;
  is(cell: string): boolean;
  /** Whether a column of nothing else is one: not if all its cells are of another kind too. */
  proves?(cell: string): boolean;
  advice(column: string): string;
}

/** A code of ten digits is an id or a phone number. */
const longestNumber = 9;
const typed = (type: string) => (column: string) =>
  `is imported as texts; --types ${quoted(`${column}=${type}`)} makes them ${type === 'boolean' ? 'true and false' : 'numbers'}`;

const isNumber = (cell: string): boolean =>
  numberIn(cell) !== undefined && cell.replace(/^-|\..*$/g, '').length <= longestNumber;

const isDay = (cell: string): boolean => /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(cell);

const isForeignTime = (cell: string): boolean =>
  parseTime(cell) === undefined &&
  /^(\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})([ T]\d{1,2}[:.]\d{2}.*)?$/.test(cell);

/** The first one that every cell is counts. */
const kinds: readonly Kind[] = [
  {
    name: 'true/false',
    is: (cell) => !/^[01]$/.test(cell) && booleanIn(cell) !== undefined,
    advice: typed('boolean'),
  },
  { name: 'numbers', is: isNumber, advice: typed('number') },
  {
    name: 'numbers with a decimal comma',
    is: (cell) => commaNumberIn(cell) !== undefined,
    proves: (cell) => /,(?!\d{3}$)/.test(cell),
    advice: typed('comma'),
  },
  {
    name: 'dates',
    is: isDay,
    advice: (column) =>
      `is imported as texts; --types ${quoted(`${column}=date`)} makes them times (29.11.2026 becomes 2026-11-29)`,
  },
  {
    name: 'dates',
    is: isForeignTime,
    advice: () =>
      'is imported as texts; write them like 2026-11-29 or 2026-11-29T12:00:00Z, and they become times',
  },
];

/** Names of columns whose digits are no number to count with. */
const codes =
  /phone|mobil|tel|fax|zip|plz|post|code|iban|account|nummer|((^|[^a-z])(id|no|nr|num|number)|[a-z]Id)$/i;

interface Seen {
  column: Column;
  possible: Kind[];
  proven: Set<Kind>;
  isAny: boolean;
  /** A cell is `\N`. */
  hasNull: boolean;
}

const escapes =
  'it has \\N for no value, as MySQL and psql write it. Such cells are left out; other backslashes (\\n, \\\\) stay as they are. Export it as CSV, with quotes doubled and without \\N, to be sure';

const seenOf = (column: Column): Seen => {
  const isCode = codes.test(column.title) || codes.test(column.field);
  const possible = isCode ? kinds.filter(({ name }) => !name.startsWith('numbers')) : [...kinds];
  return { column, possible: column.isOpen ? possible : [], proven: new Set(), isAny: false, hasNull: false };
};

const see = (seen: Seen, cell: string): void => {
  if (cell === '\\N') seen.hasNull = true;
  if (seen.possible.length === 0 || isNothing(cell)) return;
  seen.isAny = true;
  seen.possible = seen.possible.filter((kind) => kind.is(cell));
  for (const kind of seen.possible) if (kind.proves?.(cell) ?? true) seen.proven.add(kind);
};

const lookOf = ({ column: { title, type }, possible, proven, isAny }: Seen): Look[] => {
  const kind = isAny ? possible.find((one) => proven.has(one)) : undefined;
  const isRead = type === 'guess' && (kind?.name === 'numbers' || kind?.name === 'true/false');
  if (!kind || isRead) return [];
  return [
    {
      column: title,
      looks_like: kind.name,
      sentence: `${title} looks like ${kind.name}: it ${kind.advice(title)}`,
    },
  ];
};

/** Told for the first of its columns. */
const nullsIn = (all: readonly Seen[]): Look[] => {
  const title = all.find(({ hasNull }) => hasNull)?.column.title;
  if (title === undefined) return [];
  return [{ column: title, looks_like: '\\N', sentence: `${title}: ${escapes}` }];
};

/** Bounded by the number of columns. */
export const createLooks = () => {
  let all: Seen[] = [];
  return {
    begin(columns: readonly Column[]): void {
      all = columns.map(seenOf);
    },
    see(cells: readonly string[]): void {
      for (const [at, seen] of all.entries()) see(seen, cells[at] ?? '');
    },
    looks: (): Look[] => [...all.flatMap(lookOf), ...nullsIn(all)],
  };
};

export type Looks = ReturnType<typeof createLooks>;
