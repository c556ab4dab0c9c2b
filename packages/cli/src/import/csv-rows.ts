/** The meaning of the columns of CSV, and the entry of a row. */
import { type JsonObject, parsedJson } from '../json.ts';
import { arrayOf, type LineType } from './json-line.ts';
import { type Reading, reading, unreadable } from './row.ts';

const valueTypes = ['text', 'number', 'boolean', 'json', 'guess'] as const;
type ValueType = (typeof valueTypes)[number];

export interface Column {
  /** The name in the header. */
  title: string;
  field: string;
  type: ValueType;
}

export interface CsvOptions {
  /** The type of the rows. */
  type: Exclude<LineType, 'user'>;
  /** Other names for columns; an empty one leaves the column out. */
  map: Readonly<Record<string, string>>;
  /** Whether numbers and booleans are recognized by their form. */
  types: boolean;
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

/** The members of an occurrence itself; every other column is a property of it. */
const occurrence = `${identifiers} _update_existing_only app_id time`;
const own = {
  event: names(`${occurrence} name`),
  purchase: names(`${occurrence} product_id currency price quantity`),
};

const natural = (field: string, types: boolean): ValueType => {
  if (numbers.has(field)) return 'number';
  if (booleans.has(field)) return 'boolean';
  return types && !texts.has(field) ? 'guess' : 'text';
};

const suffix = new RegExp(`^(.+):(${valueTypes.join('|')})$`, 's');

const columnOf = (title: string, { map, types, type }: CsvOptions): Column => {
  const wanted = Object.hasOwn(map, title) ? (map[title] ?? title) : title;
  const [, field = wanted, given] = suffix.exec(wanted) ?? [];
  const isProperty = type !== 'attributes' && !own[type].has(field);
  const byNature = isProperty ? (types ? 'guess' : 'text') : natural(field, types);
  return { title, field, type: valueTypes.find((name) => name === given) ?? byNature };
};

/** The columns, and their faults. A column without a field is left out. */
export const columnsOf = (
  header: readonly string[],
  options: CsvOptions,
): { columns: Column[]; problems: string[] } => {
  const titles = header.map((title, i) => (i === 0 ? title.replace(/^\uFEFF/, '') : title).trim());
  const columns = titles.map((title) => columnOf(title, options));
  const fields = columns.map(({ field }) => field).filter(Boolean);
  const doubled = new Set(fields.filter((field, i) => fields.indexOf(field) !== i));
  const unknown = Object.keys(options.map).filter((title) => !titles.includes(title));
  const problems = [
    ...unknown.map(
      (title) => `--map ${title}=...: there is no column ${title}; there are ${titles.join(', ')}`,
    ),
    ...[...doubled].map((field) => `the field ${field} is there more than once`),
    ...(fields.length === 0 ? ['the first line must name the columns'] : []),
  ];
  return { columns, problems };
};

const numberRule = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const numberIn = (cell: string): number | undefined => {
  const value = numberRule.test(cell) ? Number(cell) : Number.NaN;
  const isExact = !/^-?\d+$/.test(cell) || Number.isSafeInteger(value);
  return Number.isFinite(value) && isExact ? value : undefined;
};

const words: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

const readers: Readonly<Record<ValueType, (cell: string) => JsonObject[string] | undefined>> = {
  text: (cell) => cell,
  number: (cell) => numberIn(cell.trim()),
  boolean: (cell) => words[cell.trim().toLowerCase()],
  json: (cell) => parsedJson(cell) as JsonObject[string] | undefined,
  guess: (cell) => (/^(true|false)$/i.test(cell) ? words[cell.toLowerCase()] : (numberIn(cell) ?? cell)),
};

type Pair = [string, JsonObject[string]];

const withAlias = (pairs: Pair[]): Pair[] => {
  const isPart = ([field]: Pair) => field === 'alias_name' || field === 'alias_label';
  const parts = pairs.filter(isPart);
  const rest = pairs.filter((pair) => !isPart(pair));
  return parts.length > 0 ? [['user_alias', Object.fromEntries(parts)], ...rest] : rest;
};

const entryOf = (pairs: Pair[], type: CsvOptions['type']): JsonObject => {
  if (type === 'attributes') return Object.fromEntries(withAlias(pairs));
  const mine = pairs.filter(([field]) => own[type].has(field));
  const properties = pairs.filter(([field]) => !own[type].has(field));
  const more: Pair[] = properties.length > 0 ? [['properties', Object.fromEntries(properties)]] : [];
  return Object.fromEntries([...withAlias(mine), ...more]);
};

/** Empty cells are left out. */
export const readCells = (
  cells: readonly string[],
  columns: readonly Column[],
  type: CsvOptions['type'],
): Reading => {
  const [count, wanted] = [cells.length, columns.length];
  if (count !== wanted)
    return unreadable('CELLS_DO_NOT_MATCH', `the row has ${count} cells, the header ${wanted}`);
  const pairs: Pair[] = [];
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? '';
    if (cell === '' || column.field === '') continue;
    const value = readers[column.type](cell);
    if (value === undefined)
      return unreadable('CELL_INVALID', `${column.title} is not a ${column.type} value`);
    pairs.push([column.field, value]);
  }
  return reading([{ array: arrayOf[type], value: entryOf(pairs, type) }]);
};
