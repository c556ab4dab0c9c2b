/** Rows as PostgreSQL sends them, while the socket is paused whenever enough of them wait. */
import { Query, type QueryArrayConfig } from 'pg';
import type { Waiting } from '../server/protocol.ts';
import { type Raw, rowsIn } from '../sql/rows.ts';
import type { Statement } from '../sql/statements.ts';
import type { Session } from './session.ts';

/** Of a few rows. */
export const rowsOf = async ({ client }: Session, { text, values }: Statement): Promise<readonly Raw[]> => {
  const { rows } = await client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array' });
  return rows;
};

export const stream = (
  { client, rowsOf: watched }: Session,
  { text, values }: Statement,
  waiting: Waiting,
): AsyncIterable<readonly Raw[]> => {
  const asArrays: QueryArrayConfig = { text, values: [...values], rowMode: 'array' };
  const query = new Query(asArrays);
  const flow = watched(client.connection.stream, query, 'row');
  client.query(query);
  return rowsIn(flow, waiting);
};
