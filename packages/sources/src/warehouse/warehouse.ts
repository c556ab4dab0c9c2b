/** A table of a warehouse as a source: what is the same for all of them. */
import type { Limits } from '../limits.ts';
import { type Find, readPages } from '../pages.ts';
import { lookBack, type Place, toPlace } from '../place.ts';
import type { Column, Source } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { foundIn, type Raw } from './rows.ts';
import { createSessions, type Session, type Warehouse } from './session.ts';
import { countRows, readRows, type Statement, sampleRows } from './statements.ts';
import type { Table, Wanted } from './table.ts';

export type WarehouseLimits = Limits & Record<'answerBytes' | 'answerRows' | 'statementRows', number>;

const named = ({ columns }: Table): readonly Column[] => columns.map(({ name, type }) => ({ name, type }));

const foreign = (): SourceError =>
  new SourceError('not_this_protocol', 'the server sends more rows than it was asked for');

export const openWarehouse = (warehouse: Warehouse, wanted: Wanted, limits: WarehouseLimits): Source => {
  const { dialect, keepsResults } = warehouse;
  const { questionMs, statementMs, stretchMs, statementRows } = limits;
  const closing = new AbortController();
  const sessions = createSessions(warehouse, wanted, closing.signal);

  const all = async (session: Session, statement: Statement): Promise<readonly Raw[]> => {
    const found: Raw[] = [];
    for await (const chunk of session.rows(statement, questionMs, closing.signal))
      if (chunk !== 'more') found.push(...chunk);
    return found;
  };
  const count = (since: Place | undefined) =>
    sessions.ask(async (session, table) => {
      const [row] = await all(session, countRows(dialect, table, { since, now: new Date() })).catch(() => []);
      return row?.[0] ? Number(row[0]) : undefined;
    });

  const find: Find = async function* (since, stopping) {
    const signal = AbortSignal.any([stopping, closing.signal]);
    try {
      const { session, table } = await sessions.open(signal);
      const statement = readRows(dialect, table, { since, now: new Date() }, statementRows);
      let read = 0;
      for await (const chunk of session.rows(statement, statementMs, signal)) {
        if (chunk === 'more') {
          yield chunk;
          return;
        }
        read += chunk.length;
        if (read > statementRows) throw foreign();
        yield chunk.map(foundIn(dialect, table));
      }
      if (read === statementRows) yield 'more';
    } catch (error) {
      throw sessions.inWords(error, signal);
    }
  };

  return {
    columns: () => sessions.ask(async (_, table) => named(table)),
    test: () =>
      sessions.ask(async (session, table) => {
        const found = await all(session, sampleRows(dialect, table, new Date()));
        const sample = found.map(foundIn(dialect, table)).flatMap(({ row }) => (row ? [row] : []));
        return { columns: named(table), sample };
      }),
    estimate: (since) => count(since && toPlace(since)),
    pages: (options) => readPages(find, options, keepsResults ? Number.POSITIVE_INFINITY : stretchMs),
    lookBack,
    async close() {
      closing.abort(new SourceError('connection_lost', 'the source was closed'));
      await sessions.close();
    },
  };
};
