/** Rows as PostgreSQL sends them, while the socket is paused whenever enough of them wait. */
import { Query, type QueryArrayConfig } from 'pg';
import { createFlow } from '../flow.ts';
import type { Waiting } from '../server/protocol.ts';
import { bytesOf, type Raw, rowsIn } from '../sql/rows.ts';
import type { Statement } from '../sql/statements.ts';
import type { Session } from './session.ts';

/** Of a few rows. */
export const rowsOf = async ({ client }: Session, { text, values }: Statement): Promise<readonly Raw[]> => {
  const { rows } = await client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array' });
  return rows;
};

export const stream = (
  { client, onFailure, progress }: Session,
  { text, values }: Statement,
  waiting: Waiting,
): AsyncIterable<readonly Raw[]> => {
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
  return rowsIn(flow, waiting);
};
