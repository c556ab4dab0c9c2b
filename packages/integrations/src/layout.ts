/** Which columns of a table are what: as the settings say, else by the names that such tables usually have. */
import type { DataKind, IntegrationSettings, RowIdentifier } from '@roster/contract';
import { type Column, SourceError } from '@roster/sources';

export interface Layout {
  /** Nothing in diff mode. */
  updatedAt: string | undefined;
  /** Decides between rows of one moment; in diff mode the key. */
  tie: string;
  /** In this order: that of a row is the first that is not empty. */
  identifiers: readonly [RowIdentifier, ...RowIdentifier[]];
  /** One column with all members, the column of each member, or all columns of a row besides these (in lower case). */
  members:
    | { payload: string }
    | { columns: readonly (readonly [member: string, column: string])[] }
    | { besides: readonly string[] };
}

/** In this order; those whose columns are there. */
const usualIdentifiers: readonly RowIdentifier[] = [
  { by: 'external_id', column: 'EXTERNAL_ID' },
  { by: 'user_alias', column: 'ALIAS_NAME', label_column: 'ALIAS_LABEL' },
  { by: 'email', column: 'EMAIL' },
  { by: 'phone', column: 'PHONE' },
  { by: 'service_id', column: 'SERVICE_ID' },
];

const ambiguous = (names: readonly string[]): SourceError =>
  new SourceError(
    'bad_settings',
    `the columns ${names.join(' and ')} differ only in upper and lower case: name the one that is meant in the settings`,
  );

/** By its name, or by its only name in other letters: databases fold names in their own ways. */
const namesIn = (columns: readonly Column[]) => {
  const find = (name: string): string | undefined => {
    if (columns.some((column) => column.name === name)) return name;
    const wanted = name.toLowerCase();
    const alike = columns.filter((column) => column.name.toLowerCase() === wanted);
    if (alike.length > 1) throw ambiguous(alike.map((column) => column.name));
    return alike[0]?.name;
  };
  const missing = (name: string): SourceError => {
    const names = columns.slice(0, 50).map((column) => column.name);
    return new SourceError('column_missing', `there is no column ${name}; there are ${names.join(', ')}`);
  };
  const needed = (name: string): string => {
    const found = find(name);
    if (found === undefined) throw missing(name);
    return found;
  };
  return { find, missing, needed };
};

type Names = ReturnType<typeof namesIn>;

const identifiersIn = (
  { identifier }: IntegrationSettings,
  { find, missing, needed }: Names,
): Layout['identifiers'] => {
  const isThere = ({ column, label_column }: RowIdentifier): boolean =>
    find(column) !== undefined && (label_column === undefined || find(label_column) !== undefined);
  const [first, ...others] = identifier ? [identifier] : usualIdentifiers.filter(isThere);
  if (!first) throw missing('EXTERNAL_ID, ALIAS_NAME and ALIAS_LABEL, EMAIL, PHONE or SERVICE_ID');
  const inTable = (wanted: RowIdentifier): RowIdentifier => {
    const { column, label_column } = wanted;
    return {
      ...wanted,
      column: needed(column),
      ...(label_column !== undefined && { label_column: needed(label_column) }),
    };
  };
  return [inTable(first), ...others.map(inTable)];
};

const columnsOfIdentifier = ({ column, label_column }: RowIdentifier): readonly string[] =>
  label_column === undefined ? [column] : [column, label_column];

interface Found {
  names: Names;
  columns: readonly Column[];
  taken: ReadonlySet<string>;
  isOpen: boolean;
}

const membersIn = (
  settings: IntegrationSettings,
  { names: { find, needed }, columns, taken, isOpen }: Found,
): Layout['members'] => {
  const { payload, columns: chosen } = settings;
  if (chosen) return { columns: Object.entries(chosen).map(([member, name]) => [member, needed(name)]) };
  const usual = payload === undefined ? find('PAYLOAD') : needed(payload);
  if (usual !== undefined) return { payload: usual };
  if (isOpen) return { besides: [...taken].map((name) => name.toLowerCase()) };
  const others = columns.filter(({ name }) => !taken.has(name));
  const members = new Map<string, string>();
  for (const { name } of others) {
    const other = members.get(name.toLowerCase());
    if (other !== undefined) throw ambiguous([other, name]);
    members.set(name.toLowerCase(), name);
  }
  return { columns: [...members] };
};

/** A row that is no longer in the table is known by its key alone. */
const assertRemovable = (
  { mode, on_removed = 'ignore' }: IntegrationSettings,
  data: DataKind,
  { tie, identifiers: [{ column, label_column }], members }: Layout,
): void => {
  const refuse = (why: string): never => {
    throw new SourceError('bad_settings', `on_removed can't be ${on_removed}: ${why}`);
  };
  if (on_removed === 'ignore') return;
  if (mode !== 'diff') refuse('it goes with mode diff');
  if (data !== 'attributes') refuse('it goes with attributes');
  if (tie !== column || label_column !== undefined)
    refuse('the key must be the identifier, in one column, as another row may be about the same person');
  if (on_removed === 'null' && !('columns' in members))
    refuse('the members of a row must stand in columns, which columns names');
};

/** Throws a `SourceError` that names the column that is missing, and those that are there. `isOpen`: a row may have others. */
export const layoutOf = (
  settings: IntegrationSettings,
  data: DataKind,
  columns: readonly Column[],
  isOpen = false,
): Layout => {
  const { mode, updated_at = 'UPDATED_AT', key } = settings;
  const names = namesIn(columns);
  const updatedAt = mode === 'diff' ? undefined : names.needed(updated_at);
  const identifiers = identifiersIn(settings, names);
  const [first] = identifiers;
  const tie = key === undefined ? first.column : names.needed(key);
  const taken = new Set([...(updatedAt === undefined ? [] : [updatedAt]), ...columnsOfIdentifier(first)]);
  if (key !== undefined) taken.add(tie);
  const members =
    data === 'deletes' ? { columns: [] } : membersIn(settings, { names, columns, taken, isOpen });
  // Beside an external id, a column `email` is a member, unless a payload has all of them.
  const isMember = !('payload' in members) && data !== 'deletes';
  const layout = { updatedAt, tie, identifiers: isMember ? ([first] as const) : identifiers, members };
  assertRemovable(settings, data, layout);
  return layout;
};

/** All that a row needs to have; nothing where it may have any. */
export const columnsOf = ({ updatedAt, tie, identifiers, members }: Layout) => {
  if ('besides' in members) return undefined;
  const others = 'payload' in members ? [members.payload] : members.columns.map(([, name]) => name);
  const moment = updatedAt === undefined ? [] : [updatedAt];
  return [...new Set([...moment, tie, ...identifiers.flatMap(columnsOfIdentifier), ...others])];
};
