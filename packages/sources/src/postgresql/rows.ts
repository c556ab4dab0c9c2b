/** Rows as PostgreSQL sends them, while the socket is paused whenever enough of them wait. */
import { Query, type QueryArrayConfig } from 'pg';
import { bounds } from '../bounds.ts';
import { createFlow } from '../flow.ts';
import type { Found } from '../place.ts';
import { readerOf } from './readers.ts';
import type { Session } from './session.ts';
import type { Statement } from './statements.ts';
import type { Table } from './table.ts';

type Raw = readonly (string | null)[];

const leadingCells = 3;

export const foundIn = ({ columns }: Table): ((raw: Raw) => Found) => {
  const readers = columns.map(({ name, kind }) => [name, readerOf(kind)] as const);
  return (raw) => {
    const [moment, tie, size] = raw;
    const bytes = Number(size);
    const cells = readers.map(([name, read], at) => {
      const text = raw[at + leadingCells];
      return [name, typeof text === 'string' ? read(text) : null] as const;
    });
    const row = bytes <= bounds.rowBytes ? Object.fromEntries(cells) : undefined;
    return { moment: moment ?? '', tie: tie ?? null, bytes, row };
  };
};

const submit = ({ client, onFailure, progress }: Session, { text, values }: Statement) => {
  const { stream } = client.connection;
  const flow = createFlow<Raw>({ pause: () => stream.pause(), resume: () => stream.resume() });
  const asArrays: QueryArrayConfig = { text, values: [...values], rowMode: 'array' };
  const query = new Query(asArrays);
  query.on('row', (row: Raw) => {
    progress();
    flow.push(row, Number(row[2]));
  });
  query.on('end', flow.end);
  query.on('error', flow.fail);
  onFailure(flow.fail);
  client.query(query);
  return flow;
};

interface Waiting {
  /** Its abort drops the session. */
  readonly end: AbortSignal;
  readonly firstMs: number;
  readonly silenceMs: number;
}

/** Ends with an error when the server is silent for longer than `firstMs` before the first row, or `silenceMs` later. */
export async function* streamRows(
  session: Session,
  statement: Statement,
  table: Table,
  { end, firstMs, silenceMs }: Waiting,
): AsyncGenerator<readonly Found[], void, undefined> {
  const find = foundIn(table);
  const flow = submit(session, statement);
  for (let raw = await flow.take(firstMs); raw; raw = await flow.take(silenceMs)) {
    end.throwIfAborted();
    yield raw.map(find);
  }
}
