/** Columns that are imported as texts, and whose values look like something else. */
import { attributeMembers, parseTime } from '@roster/contract';
import { quoted } from '../shown.ts';
import { booleanIn, commaNumberIn, isNothing, numberIn } from './cell-values.ts';
import type { Column } from './csv-rows.ts';
import { type DaysSeen, dayLook, seeDay } from './day-looks.ts';
import type { Entry } from './row.ts';

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

const isForeignTime = (cell: string): boolean =>
  parseTime(cell) === undefined &&
  /^(\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})([ T]\d{1,2}[:.]\d{2}.*)?$/.test(cell);

/** Days since 1899-12-30, from 1954 to 2119. */
const isSerial = (cell: string): boolean => /^\d{5}$/.test(cell) && cell >= '20000' && cell < '80000';

const serial = 'days of a spreadsheet';

/** The first one that every cell is counts. */
const kinds: readonly Kind[] = [
  {
    name: serial,
    is: isSerial,
    advice: () =>
      'is imported as texts; give the column the format of a date there (46053 is 2026-01-31), and save the file anew',
  },
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
    is: isForeignTime,
    advice: () =>
      'is imported as texts; write them like 2026-11-29 or 2026-11-29T12:00:00Z, and they become times',
  },
];

/** Names of columns whose digits are no number to count with. */
const codes =
  /phone|mobil|tel|fax|zip|plz|post|code|iban|account|nummer|((^|[^a-z])(id|no|nr|num|number)|[a-z]Id)$/i;

/** Names of columns that may have the days of a spreadsheet. */
const dates = /date|datum|day|birth|dob|since|seit|join|time|(^|_)(am|at|on)$|[a-z](At|On)$/i;

const mostMembers = 50;
const longestDay = 40;

interface Seen {
  column: Column;
  possible: Kind[];
  proven: Set<Kind>;
  isAny: boolean;
  days: DaysSeen;
  /** Those of `oddCells` that a cell is. */
  odd: Set<OddCell>;
}

interface OddCell {
  name: string;
  is(cell: string): boolean;
  /** Also of a field with a meaning of its own, where other words may be names. */
  isOfAny?: true;
  /** Of columns that say who somebody is. */
  isOfIdentifier?: true;
  sentence: string;
}

const noValueIn = (cell: string): boolean => /^(null|nan|#?n\/a|none|nil|undefined)$/i.test(cell);

const noValue: OddCell = {
  name: 'a word for no value',
  is: noValueIn,
  sentence: 'has a word for no value (NULL, NaN, N/A). It is imported as a text: leave such cells empty',
};

/** Each is told for the first column that has one. */
const oddCells: readonly OddCell[] = [
  {
    name: '\\N',
    isOfAny: true,
    is: (cell) => cell === '\\N',
    sentence:
      'it has \\N for no value, as MySQL and psql write it. Such cells are left out; other backslashes (\\n, \\\\) stay as they are. Export it as CSV, with quotes doubled and without \\N, to be sure',
  },
  {
    name: 'backslashes',
    isOfAny: true,
    is: (cell) => /\\([nt\\\n]|\r\n)/.test(cell),
    sentence:
      'has backslashes such as MySQL writes before line breaks, tabs and backslashes. They are imported as they stand',
  },
  noValue,
  {
    name: 'ids with a decimal point',
    isOfIdentifier: true,
    is: (cell) => /^\d+[.,]0+$/.test(cell),
    sentence:
      'has ids such as 17.0, which is another person than 17. pandas writes them where a value is missing: read the column as texts there (dtype=str), and save the file anew',
  },
  {
    name: 'a word for no value',
    isOfIdentifier: true,
    is: noValueIn,
    sentence:
      'has a word for no value (NULL, NaN, N/A): all such rows are about one person with that id. Leave such cells empty',
  },
  {
    name: 'a formula',
    isOfAny: true,
    is: (cell) => /^=[\w(@+-]/.test(cell),
    sentence: 'has formulas, which are imported as texts. Save their values instead',
  },
  {
    name: 'an error of a spreadsheet',
    isOfAny: true,
    is: (cell) => /^(#(DIV\/0!|REF!|NAME\?|VALUE!|NUM!|NULL!|SPILL!|CALC!)|Err:\d{3})$/.test(cell),
    sentence: 'has errors of a spreadsheet (such as #REF!), which are imported as texts. Correct them there',
  },
];

const seenOf = (column: Column): Seen => {
  const isCode = codes.test(column.title) || codes.test(column.field);
  const fitting = kinds.filter(({ name }) => name !== serial || dates.test(column.title));
  const possible = isCode ? fitting.filter(({ name }) => !name.startsWith('numbers')) : fitting;
  return {
    column,
    possible: column.isOpen ? possible : [],
    proven: new Set(),
    isAny: false,
    days: {},
    odd: new Set(),
  };
};

const isAbout = ({ isOfAny, isOfIdentifier }: OddCell, { isOpen, isIdentifier }: Column): boolean =>
  isOfIdentifier ? isIdentifier === true : isOpen || isOfAny === true;

const see = (seen: Seen, cell: string): void => {
  if (seen.column.field === '' || cell === '') return;
  const { column, odd } = seen;
  if (column.type === 'text' || column.type === 'guess') seeDay(seen.days, cell.trim());
  for (const one of oddCells) if (isAbout(one, column) && !odd.has(one) && one.is(cell)) odd.add(one);
  if (seen.possible.length === 0 || isNothing(cell) || noValue.is(cell)) return;
  seen.isAny = true;
  seen.possible = seen.possible.filter((kind) => kind.is(cell));
  for (const kind of seen.possible) if (kind.proves?.(cell) ?? true) seen.proven.add(kind);
};

const lookOf = ({ column, possible, proven, isAny, days }: Seen): Look[] => {
  const { title, type } = column;
  const sentence = dayLook(days, column);
  if (sentence) return [{ column: title, looks_like: 'dates', sentence }];
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

const oddIn = (all: readonly Seen[]): Look[] =>
  oddCells.flatMap((one): Look[] => {
    const column = all.find(({ odd }) => odd.has(one))?.column.title;
    return column === undefined
      ? []
      : [{ column, looks_like: one.name, sentence: `${column}: ${one.sentence}` }];
  });

/** The texts of an entry of which the server may make times. */
const timedIn = ({ array, value }: Entry): [string, string][] =>
  Object.entries(value).flatMap(([name, text]): [string, string][] => {
    const isTimed = array === 'attributes' ? !attributeMembers.has(name) : name === 'time';
    return isTimed && typeof text === 'string' && text.length <= longestDay ? [[name, text]] : [];
  });

const memberLook = ([title, days]: [string, DaysSeen]): Look[] => {
  const column = { title, field: title, type: 'text', isOpen: true, isTimed: true, isMember: true } as const;
  const sentence = dayLook(days, column);
  return sentence ? [{ column: title, looks_like: 'dates', sentence }] : [];
};

/** Bounded by the number of columns; of NDJSON the first names that have such dates. */
export const createLooks = () => {
  let all: Seen[] = [];
  const members = new Map<string, DaysSeen>();
  return {
    begin(columns: readonly Column[]): void {
      all = columns.map(seenOf);
    },
    see(cells: readonly string[]): void {
      for (const [at, seen] of all.entries()) see(seen, cells[at] ?? '');
    },
    /** Of NDJSON. */
    seeEntries(entries: readonly Entry[]): void {
      for (const entry of entries)
        for (const [name, text] of timedIn(entry)) {
          const days = members.get(name) ?? {};
          seeDay(days, text.trim());
          if (days.first && members.size < mostMembers) members.set(name, days);
        }
    },
    looks: (): Look[] => [...all.flatMap(lookOf), ...[...members].flatMap(memberLook), ...oddIn(all)],
  };
};

export type Looks = ReturnType<typeof createLooks>;
