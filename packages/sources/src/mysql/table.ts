/** The table or view in the catalog of MySQL or MariaDB. */
import { bounds } from '../bounds.ts';
import type { Wanted } from '../server/protocol.ts';
import { SourceError } from '../source-error.ts';
import { findColumn } from '../sql/find-column.ts';
import { quotedBy, tableParts } from '../sql/table-name.ts';
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
  /** Without it rows are read by their ties. */
  readonly moment: TableColumn | undefined;
  readonly tie: TableColumn;
}

const catalog = `SELECT column_name, column_type, data_type FROM information_schema.columns
WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position LIMIT ${bounds.columns}`;

const momentKinds = ['datetime', 'timestamp', 'date'];
const wholeKinds = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint'];
const textKinds = ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'uuid'];
const binaryKinds = ['binary', 'varbinary'];

export const isWhole = ({ kind }: TableColumn): boolean => wholeKinds.includes(kind);
export const isNumber = (column: TableColumn): boolean => isWhole(column) || column.kind === 'decimal';
/** Also what has a form of its own: shapes and vectors. */
export const isBinary = ({ kind }: TableColumn): boolean =>
  binaryKinds.includes(kind) || /(blob|geometry|point|linestring|polygon|collection|vector)$/.test(kind);

const assertKind = ({ name, type, kind }: TableColumn, kinds: readonly string[], says: string) => {
  if (!kinds.includes(kind))
    throw new SourceError('wrong_type', `column ${name} is of type ${type}, but ${says}`);
};

const texts = (row: readonly (string | null)[]) => row.map((text) => text ?? '');

export const quote = quotedBy('`');

export const findTable = async (
  session: Session,
  table: string,
  database: string,
): Promise<Pick<Table, 'quotedName' | 'columns'>> => {
  const parts = tableParts(table);
  const [schema = '', name = ''] = parts.length > 1 ? parts : [database, ...parts];
  const rows = await session.ask(catalog, [schema, name]);
  if (rows.length === 0)
    throw new SourceError('table_missing', `there is no table ${table}, or the user may not see it`);
  const columns = rows
    .map(texts)
    .map(([column = '', type = '', kind = '']) => ({ name: column, type, kind }));
  return { quotedName: `${quote(schema)}.${quote(name)}`, columns };
};

const tieKinds = [...textKinds, ...binaryKinds, ...wholeKinds, 'decimal'];

export const readTable = async (session: Session, wanted: Wanted, database: string): Promise<Table> => {
  const { quotedName, columns } = await findTable(session, wanted.table, database);
  const moment =
    wanted.updatedAt === undefined ? undefined : findColumn(columns, wanted.updatedAt, wanted.table);
  const tie = findColumn(columns, wanted.tie, wanted.table);
  if (moment)
    assertKind(moment, momentKinds, 'the moment of a change must be a datetime, a timestamp or a date');
  assertKind(tie, tieKinds, 'rows are told apart by a text, a binary or a whole number');
  return { quotedName, columns, moment, tie };
};
