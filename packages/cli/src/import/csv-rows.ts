/** The meaning of the columns of CSV. */
import type { LineType } from './line-type.ts';

const valueTypes = ['text', 'number', 'boolean', 'json', 'guess'] as const;
export type ValueType = (typeof valueTypes)[number];

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
export const own = {
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
