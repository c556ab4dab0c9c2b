/** The table or view in the catalog of MySQL or MariaDB. */
import { bounds } from '../bounds.ts';
import { SourceError } from '../source-error.ts';
import { findColumn } from '../sql/find-column.ts';
import { quoted, tableParts } from '../sql/table-name.ts';
import type { Session } from './session.ts';

export interface TableColumn {
  readonly name: string;
  /** As people write it: `tinyint(1)`. */
  readonly type: string;
  readonly kind: string;
}

export interface Table {
  readonly quotedName: string;
  readonly columns: readonly TableColumn[];
  readonly moment: TableColumn;
  readonly tie: TableColumn;
}

export interface Wanted {
  readonly table: string;
  readonly updatedAt: string;
  readonly tie: string;
}

const catalog = `SELECT column_name, column_type, data_type FROM information_schema.columns
WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position LIMIT ${bounds.columns}`;

const momentKinds = ['datetime', 'timestamp', 'date'];
const wholeKinds = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint'];
const textKinds = ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'uuid'];
const binaryKinds = ['binary', 'varbinary'];

export const isWhole = ({ kind }: TableColumn): boolean => wholeKinds.includes(kind) || kind === 'decimal';
export const isBinary = ({ kind }: TableColumn): boolean => binaryKinds.includes(kind) || /blob$/.test(kind);

const assertKind = ({ name, type, kind }: TableColumn, kinds: readonly string[], says: string) => {
  if (!kinds.includes(kind))
    throw new SourceError('wrong_type', `column ${name} is of type ${type}, but ${says}`);
};

const texts = (row: readonly (string | null)[]) => row.map((text) => text ?? '');

export const readTable = async (session: Session, wanted: Wanted, database: string): Promise<Table> => {
  const parts = tableParts(wanted.table);
  const [schema, name = ''] = parts.length > 1 ? parts : [database, ...parts];
  const rows = await session.ask(catalog, [schema ?? '', name]);
  const columns = rows
    .map(texts)
    .map(([column = '', type = '', kind = '']) => ({ name: column, type, kind }));
  if (columns.length === 0 || parts.length > 2)
    throw new SourceError('table_missing', `there is no table ${wanted.table}, or the user may not see it`);
  const moment = findColumn(columns, wanted.updatedAt, wanted.table);
  const tie = findColumn(columns, wanted.tie, wanted.table);
  assertKind(moment, momentKinds, 'the moment of a change must be a datetime, a timestamp or a date');
  const tieKinds = [...textKinds, ...wholeKinds, ...binaryKinds, 'decimal'];
  assertKind(tie, tieKinds, 'rows are told apart by a text, a binary or a whole number');
  const quote = quoted('`');
  return { quotedName: `${quote(schema ?? '')}.${quote(name)}`, columns, moment, tie };
};
