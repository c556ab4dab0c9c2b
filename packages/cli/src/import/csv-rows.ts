/** The meaning of the columns of CSV, and the entry of a row. */
import { distance } from '@roster/contract';
import type { JsonObject } from '../json.ts';
import { quoted } from '../shown.ts';
import { isNothing, type ValueType, valueIn, valueTypes } from './cell-values.ts';
import { ordersOf } from './days.ts';
import { arrayOf, type EntryType, type Guess, guessed } from './entry-kind.ts';
import { type Reading, reading, unreadable } from './row.ts';

export interface Column {
  /** The name in the header. */
  title: string;
  field: string;
  type: ValueType;
  /** Nothing tells the type of its values, so their looks are told to the person. */
  isOpen: boolean;
  /** The server makes times of such texts. */
  isTimed: boolean;
  /** Of a line of NDJSON, for which there are no types. */
  isMember?: true;
  /** Another text is another person, so damage is looked for. Not where somebody says that it is a text. */
  isIdentifier?: true;
  /** A field of such rows, whose name is almost this one. */
  near?: string;
}

export interface CsvOptions {
  /** Without it the columns tell. */
  type?: EntryType | undefined;
  /** Other names for columns; an empty one leaves the column out. */
  map: Readonly<Record<string, string>>;
  /** Whether numbers and booleans are recognized by their form. */
  types: boolean;
  /** Types of columns. */
  typed?: Readonly<Record<string, ValueType>>;
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const numbers = names('price quantity');
const booleans = names(
  '_update_existing_only _merge_objects push_token_import email_open_tracking_disabled email_click_tracking_disabled',
);
const identifiers = 'external_id service_id email phone alias_name alias_label';
/** Always texts: an id that looks like a number stays a text. */
const texts = names(
  `${identifiers} first_name last_name home_city country language time_zone gender dob image_url` +
    ' name time app_id product_id currency email_subscribe push_subscribe',
);

/** Of events and purchases alone. */
const ofOccurrences = names('name time product_id currency price quantity');

const ids = ['external_id', 'service_id', 'alias_name', 'alias_label'];
/** What a spreadsheet may take for a number. */
const identifying = names('external_id service_id alias_name phone');
const persons = names('external_id service_id email phone push_tokens');

/** Fields of entries that have a meaning of their own. */
const known: ReadonlySet<string> = new Set([...numbers, ...booleans, ...texts, 'push_tokens']);

/** The members of an occurrence itself; every other column is a property of it. */
const occurrence = `${identifiers} _update_existing_only app_id time`;
const own = {
  event: names(`${occurrence} name`),
  purchase: names(`${occurrence} product_id currency price quantity`),
};

/** For attributes of people, the other members of occurrences are names like others. */
const isOwn = (field: string, type: EntryType): boolean => {
  if (type !== 'attributes') return own[type].has(field);
  return known.has(field) && !ofOccurrences.has(field);
};

const natural = (field: string, types: boolean, type: EntryType): ValueType => {
  if (type === 'purchase' && numbers.has(field)) return 'number';
  if (booleans.has(field)) return 'boolean';
  return types && !texts.has(field) ? 'guess' : 'text';
};

const suffix = new RegExp(`^(.+):(${valueTypes.join('|')})$`, 's');

/** The field of a column, and the type behind its colon. */
const namedIn = (title: string, { map }: CsvOptions): { field: string; given?: string | undefined } => {
  const wanted = Object.hasOwn(map, title) ? (map[title] ?? title) : title;
  const [, field = wanted, given] = suffix.exec(wanted) ?? [];
  return { field, given };
};

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The known field that was probably meant: one that differs by its case or its underscores, or an id that differs by a letter. */
const meant = (field: string): string | undefined =>
  known.has(field)
    ? undefined
    : ([...known].find((name) => plain(name) === plain(field)) ??
      ids.find((name) => distance(plain(name), plain(field)) < 2));

const columnOf = (title: string, type: EntryType, options: CsvOptions): Column => {
  const { types, typed = {} } = options;
  const { field, given } = namedIn(title, options);
  const isFree = !isOwn(field, type);
  const isProperty = isFree && type !== 'attributes';
  const byNature = isProperty ? (types ? 'guess' : 'text') : natural(field, types, type);
  const named = Object.hasOwn(typed, title) ? typed[title] : valueTypes.find((name) => name === given);
  const isOpen = named === undefined && field !== '' && isFree;
  const isTimed = type === 'attributes' ? isFree : field === 'time';
  const isIdentifier = named === undefined && identifying.has(field);
  const like = isOpen ? meant(field) : undefined;
  return {
    title,
    field,
    type: named ?? byNature,
    isOpen,
    isTimed,
    ...(isIdentifier && { isIdentifier }),
    ...(like && isOwn(like, type) && { near: like }),
  };
};

/** Columns of a file may have any name; who writes --map means a field. */
const typosIn = ({ map }: CsvOptions): string[] =>
  Object.entries(map).flatMap(([title, wanted]) => {
    const field = suffix.exec(wanted)?.[1] ?? wanted;
    const name = meant(field);
    return name === undefined ? [] : [`--map ${title}=${wanted}: did you mean ${name}?`];
  });

/** Whether the rows say whom they are about: a push token is enough. */
const namesNobody = (fields: readonly string[]): boolean =>
  !fields.some((field) => persons.has(field)) &&
  !(fields.includes('alias_name') && fields.includes('alias_label'));

const nobodyIn = (columns: readonly Column[]): string[] => {
  if (!namesNobody(columns.map(({ field }) => field))) return [];
  const like = columns.find(({ field }) => meant(field) !== undefined);
  const hint = like
    ? `Did you mean ${mapOf(like.title, meant(like.field) ?? '')}?`
    : "Say which column it is: --map 'Customer no=external_id'.";
  return [
    `no column says whose the rows are: external_id, service_id, email, phone, or alias_label and alias_name. ${hint}`,
  ];
};

const mapOf = (title: string, field: string): string => `--map '${title}=${field}'`;

/** Columns that keep their own names, and whose names are almost those of fields. */
const nearFields = (columns: readonly Column[]): string | undefined => {
  const maps = columns.flatMap(({ title, near }) => (near ? mapOf(title, near) : []));
  return maps.length === 0
    ? undefined
    : `Columns whose names are almost those of fields keep their own names. If the fields are meant: ${maps.join(' ')}`;
};

const knownByContact = (columns: readonly Column[]): string | undefined => {
  const fields = columns.map(({ field }) => field);
  if (fields.some((field) => ids.includes(field))) return undefined;
  const contact = ['email', 'phone'].find((field) => fields.includes(field));
  return (
    contact &&
    `No column is external_id: people are known by ${contact}, and those with an unknown one become people without an external id. If a column has your ids, name it: --map 'Customer no=external_id'.`
  );
};

/** What to know before such rows are sent. */
export const warningOf = (columns: readonly Column[]): string | undefined =>
  [knownByContact(columns), nearFields(columns)].filter(Boolean).join('\n') || undefined;

/** What the rows are, as their columns tell. */
const guessOf = ({ type, because }: Guess): string | undefined =>
  because.length === 0
    ? undefined
    : `The rows are ${arrayOf[type]}, as the columns ${because.join(', ')} tell. --type attributes makes them attributes of people.`;

export interface Columns {
  columns: Column[];
  type: EntryType;
  /** For the person, where nothing but the columns tells the type. */
  guess?: string | undefined;
}

/** The columns, and their faults. A column without a field is left out. */
export const columnsOf = (
  header: readonly string[],
  options: CsvOptions,
): Columns & { problems: string[] } => {
  const titles = header.map((title, i) => (i === 0 ? title.replace(/^\uFEFF/, '') : title).trim());
  const fields = titles.map((title) => namedIn(title, options).field).filter(Boolean);
  const guess = guessed((member) => fields.includes(member));
  const { type = guess.type } = options;
  const columns = titles.map((title) => columnOf(title, type, options));
  const doubled = new Set(fields.filter((field, i) => fields.indexOf(field) !== i));
  const unknown = (flag: string, named: object = {}) =>
    Object.keys(named)
      .filter((title) => !titles.includes(title))
      .map((title) => `${flag} ${title}=...: there is no column ${title}; there are ${titles.join(', ')}`);
  const problems = [
    ...unknown('--map', options.map),
    ...unknown('--types', options.typed),
    ...typosIn(options),
    ...(fields.length === 0 ? [] : nobodyIn(columns)),
    ...[...doubled].map(
      (field) =>
        `the field ${field} is there more than once: rename one of its columns, or leave one out with --map 'Column='`,
    ),
    ...(fields.length === 0 ? ['the first line must name the columns'] : []),
  ];
  return { columns, type, guess: options.type ? undefined : guessOf(guess), problems };
};

type Pair = [string, JsonObject[string]];

const withAlias = (pairs: Pair[]): Pair[] => {
  const isPart = ([field]: Pair) => field === 'alias_name' || field === 'alias_label';
  const parts = pairs.filter(isPart);
  const rest = pairs.filter((pair) => !isPart(pair));
  return parts.length > 0 ? [['user_alias', Object.fromEntries(parts)], ...rest] : rest;
};

const entryOf = (pairs: Pair[], type: EntryType): JsonObject => {
  if (type === 'attributes') return Object.fromEntries(withAlias(pairs));
  const mine = pairs.filter(([field]) => own[type].has(field));
  const properties = pairs.filter(([field]) => !own[type].has(field));
  const more: Pair[] = properties.length > 0 ? [['properties', Object.fromEntries(properties)]] : [];
  return Object.fromEntries([...withAlias(mine), ...more]);
};

const typed = ({ title }: Column, type: ValueType): string => `--types ${quoted(`${title}=${type}`)}`;

const wrongValue = (column: Column, cell: string): string => {
  const { title, type } = column;
  const [dmy, mdy] = [typed(column, 'date-dmy'), typed(column, 'date-mdy')];
  if (type === 'number')
    return `${title} is not a number value such as 1.5 (${typed(column, 'comma')} reads 1,5; ${typed(column, 'text')} keeps what stands there)`;
  if (!type.startsWith('date') || ordersOf(cell.trim()).length === 0)
    return `${title} is not a ${type} value`;
  if (type === 'date') return `${title} is ${cell}: ${dmy} reads the day first, ${mdy} the month`;
  return `${title} is ${cell}, which has not the ${type === 'date-dmy' ? `day first; ${mdy} reads the month` : `month first; ${dmy} reads the day`} first`;
};

/** `1.23457E+11`: most of its digits are gone. */
const isShortened = (cell: string): boolean => /^[+-]?\d+([.,]\d+)?E\+\d{1,3}$/i.test(cell.trim());

const shortened = (column: Column, cell: string): string =>
  `${column.title} is ${cell}: a spreadsheet has shortened a number, and its digits are lost. Give the column the format of text there and save the file anew; ${typed(column, 'text')} takes it as it stands`;

/** Empty cells are left out. */
export const readCells = (cells: readonly string[], columns: readonly Column[], type: EntryType): Reading => {
  const [count, wanted] = [cells.length, columns.length];
  if (count !== wanted)
    return unreadable('CELLS_DO_NOT_MATCH', `the row has ${count} cells, the header ${wanted}`);
  const pairs: Pair[] = [];
  const wrong: string[] = [];
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? '';
    if (isNothing(cell) || column.field === '') continue;
    const value = valueIn(cell, column.type);
    if (value === undefined) wrong.push(wrongValue(column, cell));
    else if (column.isIdentifier && isShortened(cell)) wrong.push(shortened(column, cell));
    pairs.push([column.field, value ?? cell]);
  }
  const value = entryOf(pairs, type);
  if (wrong.length === 0) return reading([{ array: arrayOf[type], value }]);
  const given = type === 'attributes' ? value : { type, ...value };
  return { ...unreadable('CELL_INVALID', wrong.join('; ')), given };
};
