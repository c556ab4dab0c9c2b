/** The table of a warehouse: its columns, and the two that order its rows. */
import { bounds } from '../bounds.ts';
import type { Wanted } from '../server/protocol.ts';
import type { Column } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { findColumn } from '../sql/find-column.ts';
import { tableParts } from '../sql/table-name.ts';
import { type Dialect, entryOf, type MomentKind, type TieKind } from './dialect.ts';

export interface WarehouseColumn extends Column {
  /** As the tables of the dialect name its type. */
  readonly kind: string;
}

export interface Named {
  readonly parts: readonly string[];
  readonly quotedName: string;
}

export interface Found {
  readonly quotedName: string;
  readonly columns: readonly WarehouseColumn[];
}

export interface Table extends Found {
  /** Without it rows are read by their ties. */
  readonly moment: { readonly name: string; readonly kind: MomentKind } | undefined;
  readonly tie: { readonly name: string; readonly kind: TieKind };
}

/** `columnsOf` gives nothing where there is no such table. */
export const findTable = async (
  dialect: Dialect,
  table: string,
  columnsOf: (named: Named) => Promise<readonly WarehouseColumn[] | undefined>,
): Promise<Found> => {
  const told = tableParts(table, 3);
  for (const parts of dialect.folded ? [told, told.map(dialect.folded)] : [told]) {
    const quotedName = parts.map(dialect.quote).join('.');
    const columns = await columnsOf({ parts, quotedName });
    if (columns && columns.length > bounds.columns)
      throw new SourceError(
        'too_large',
        `${table} has more than ${bounds.columns} columns: name a view with fewer`,
      );
    if (columns) return { quotedName, columns };
  }
  throw new SourceError('table_missing', `there is no table ${table}, or the user may not see it`);
};

const columnOf = <Entry>(
  columns: readonly WarehouseColumn[],
  [wanted, table]: readonly [wanted: string, table: string],
  kinds: Readonly<Record<string, Entry>>,
  says: string,
): { readonly name: string; readonly kind: Entry } => {
  const { name, type, kind } = findColumn(columns, wanted, table);
  const found = entryOf(kinds, kind);
  if (found) return { name, kind: found };
  throw new SourceError('wrong_type', `column ${name} is of type ${type}, but ${says}`);
};

export const tableIn = (
  { moments, ties }: Dialect,
  { table, updatedAt, tie }: Wanted,
  found: Found,
): Table => ({
  ...found,
  moment:
    updatedAt === undefined
      ? undefined
      : columnOf(
          found.columns,
          [updatedAt, table],
          moments,
          'the moment of a change must be a timestamp or a date',
        ),
  tie: columnOf(found.columns, [tie, table], ties, 'rows are told apart by a text or a number'),
});
