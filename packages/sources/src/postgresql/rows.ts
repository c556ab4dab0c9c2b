/** Rows as PostgreSQL sends them, while the socket is paused whenever enough of them wait. */
import { Query, type QueryArrayConfig } from 'pg';
import { createFlow, type Flow } from '../flow.ts';
import { noKey, wholeKey } from '../keys.ts';
import type { Found } from '../place.ts';
import { bytesOf, foundBy, type Raw } from '../sql/rows.ts';
import { readerOf } from './readers.ts';
import type { Session } from './session.ts';
import type { Statement } from './statements.ts';
import { isWhole, type Table } from './table.ts';

const keyOf =
  ({ tie }: Table) =>
  (text: string | null): string => {
    if (text === null) return noKey.last;
    return isWhole(tie) ? wholeKey(text) : text;
  };

export const finderOf = (table: Table): ((raw: Raw) => Found) =>
  foundBy(
    table.columns.map(({ name, kind }) => [name, readerOf(kind)]),
    table.moment ? undefined : keyOf(table),
  );

/** Of a few rows. */
export const rowsOf = async ({ client }: Session, { text, values }: Statement): Promise<readonly Raw[]> => {
  const { rows } = await client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array' });
  return rows;
};

export const stream = ({ client, onFailure, progress }: Session, { text, values }: Statement): Flow<Raw> => {
  const { stream } = client.connection;
  const flow = createFlow<Raw>({ pause: () => stream.pause(), resume: () => stream.resume() });
  const asArrays: QueryArrayConfig = { text, values: [...values], rowMode: 'array' };
  const query = new Query(asArrays);
  query.on('row', (row: Raw) => {
    progress();
    flow.push(row, bytesOf(row));
  });
  query.on('end', flow.end);
  query.on('error', flow.fail);
  onFailure(flow.fail);
  client.query(query);
  return flow;
};
