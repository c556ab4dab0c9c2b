/** The table of a warehouse: its columns, and the two that order its rows. */
import { bounds } from '../bounds.ts';
import { SourceError } from '../source-error.ts';
import { findColumn } from '../sql/find-column.ts';
import { type Dialect, entryOf, type MomentKind, type TieKind } from './dialect.ts';

export interface WarehouseColumn {
  readonly name: string;
  /** As people write it. */
  readonly type: string;
  /** As the tables of the dialect name it. */
  readonly kind: string;
}

export interface Table {
  readonly quotedName: string;
  readonly columns: readonly WarehouseColumn[];
  readonly moment: { readonly name: string; readonly kind: MomentKind };
  readonly tie: { readonly name: string; readonly kind: TieKind };
}

export interface Wanted {
  readonly table: string;
  readonly updatedAt: string;
  readonly tie: string;
}

const kindOf = <Entry>(
  { name, type, kind }: WarehouseColumn,
  kinds: Readonly<Record<string, Entry>>,
  says: string,
): Entry => {
  const found = entryOf(kinds, kind);
  if (found) return found;
  throw new SourceError('wrong_type', `column ${name} is of type ${type}, but ${says}`);
};

const assertFew = (columns: readonly WarehouseColumn[], table: string): void => {
  if (columns.length > bounds.columns)
    throw new SourceError(
      'too_large',
      `${table} has more than ${bounds.columns} columns: name a view with fewer`,
    );
};

export const tableIn = (
  dialect: Dialect,
  wanted: Wanted,
  quotedName: string,
  columns: readonly WarehouseColumn[],
): Table => {
  assertFew(columns, wanted.table);
  const moment = findColumn(columns, wanted.updatedAt, wanted.table);
  const tie = findColumn(columns, wanted.tie, wanted.table);
  const momentKind = kindOf(moment, dialect.moments, 'the moment of a change must be a timestamp or a date');
  const tieKind = kindOf(tie, dialect.ties, 'rows are told apart by a text or a number');
  return {
    quotedName,
    columns,
    moment: { name: moment.name, kind: momentKind },
    tie: { name: tie.name, kind: tieKind },
  };
};
