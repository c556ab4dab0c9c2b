/** A table or view: its columns, and the two that order its rows. */
import { bounds } from '../bounds.ts';
import type { Wanted } from '../server/protocol.ts';
import type { Column } from '../source.ts';
import { SourceError } from '../source-error.ts';
import type { Dialect, Kind, MomentKind, SqlColumn, TieKind } from './dialect.ts';
import { findColumn } from './find-column.ts';

export interface Named {
  readonly parts: readonly string[];
  readonly quotedName: string;
}

export interface Found<C extends SqlColumn> {
  readonly quotedName: string;
  readonly columns: readonly C[];
}

export interface Table {
  readonly quotedName: string;
  readonly columns: readonly (Column & { readonly kind: Kind })[];
  /** Without it rows are read by their ties. */
  readonly moment: { readonly name: string; readonly kind: MomentKind } | undefined;
  readonly tie: { readonly name: string; readonly kind: TieKind };
}

/** `columnsOf` gives nothing where there is no such table. */
export const findTable = async <C extends SqlColumn>(
  { quote, folded, says }: Dialect<C>,
  [table, told]: readonly [table: string, parts: readonly string[]],
  columnsOf: (named: Named) => Promise<readonly C[] | undefined>,
): Promise<Found<C>> => {
  for (const parts of folded ? [told, told.map(folded)] : [told]) {
    const quotedName = parts.map(quote).join('.');
    const columns = await columnsOf({ parts, quotedName });
    if (columns && columns.length > bounds.columns)
      throw new SourceError(
        'too_large',
        `${table} has more than ${bounds.columns} columns: name a view with fewer`,
      );
    if (columns) return { quotedName, columns };
  }
  throw new SourceError(
    'table_missing',
    `there is no table ${table}, or the user may not see ${says.hidden}`,
  );
};

const columnIn = <C extends SqlColumn, Entry>(
  { columns }: Found<C>,
  [wanted, table]: readonly [wanted: string, table: string],
  kindOf: (column: C) => Entry | undefined,
  says: string,
): { readonly name: string; readonly kind: Entry } => {
  const column = findColumn(columns, wanted, table);
  const kind = kindOf(column);
  if (kind) return { name: column.name, kind };
  throw new SourceError('wrong_type', `column ${column.name} is of type ${column.type}, but ${says}`);
};

export const tableIn = <C extends SqlColumn>(
  { kindOf, momentOf, tieOf, says }: Dialect<C>,
  { table, updatedAt, tie }: Wanted,
  found: Found<C>,
): Table => ({
  quotedName: found.quotedName,
  columns: found.columns.map((column) => ({ ...column, kind: kindOf(column) })),
  moment:
    updatedAt === undefined
      ? undefined
      : columnIn(found, [updatedAt, table], momentOf, `the moment of a change must be ${says.moment}`),
  tie: columnIn(
    found,
    [tie, table],
    (column) => tieOf(column, updatedAt === undefined),
    `rows are told apart by ${says.tie}`,
  ),
});
