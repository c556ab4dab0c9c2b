/** The part of a protocol that is SQL: finding a table, and reading its rows. */
import { bounds } from '../bounds.ts';
import type { Protocol, Session, Waiting } from '../server/protocol.ts';
import type { Dialect, SqlColumn } from './dialect.ts';
import { finderOf, type Raw } from './rows.ts';
import { countRows, readRows, repeatedTie, type Statement, sampleRows, timelessRows } from './statements.ts';
import { findTable, type Named, type Table, tableIn } from './table.ts';
import { tableParts } from './table-name.ts';

interface Talk<S extends Session, C extends SqlColumn> {
  partsOf?(table: string): readonly string[];
  /** Nothing where there is no such table. */
  columnsOf(session: S, named: Named): Promise<readonly C[] | undefined>;
  /** `more` is its last word where the server has cut the result. */
  stream(session: S, statement: Statement, waiting: Waiting): AsyncIterable<readonly Raw[] | 'more'>;
  /** A statement reads no more rows; it may read any number unless told. */
  readonly mostRows?: number;
}

/** Of questions, which have a time limit of their own. */
const few: Waiting = { ...bounds, firstMs: bounds.statementMs, end: new AbortController().signal };

export const tablesOf = <S extends Session, C extends SqlColumn>(
  dialect: Dialect<C>,
  { partsOf = (table) => tableParts(table, 3), columnsOf, stream, mostRows }: Talk<S, C>,
) => {
  const { tieGroup } = dialect;
  const all = async (session: S, statement: Statement): Promise<readonly Raw[]> => {
    const found: Raw[] = [];
    for await (const rows of stream(session, statement, few)) if (rows !== 'more') found.push(...rows);
    return found;
  };
  const look = (session: S, table: string) =>
    findTable(dialect, [table, partsOf(table)], (named) => columnsOf(session, named));
  return {
    look,
    find: async (session, wanted) => tableIn(dialect, wanted, await look(session, wanted.table)),
    sample: async (session, table) =>
      (await all(session, sampleRows(dialect, table))).map(finderOf(dialect, table)),
    ...(tieGroup && {
      repeated: async (session: S, table: Table) =>
        (await all(session, repeatedTie(dialect, table, tieGroup)))[0]?.[0] ?? undefined,
      // A warehouse would bill it as a read of the whole table.
      timeless: async (session: S, table: Table) =>
        Number((await all(session, timelessRows(dialect, table)))[0]?.[2] ?? 0),
    }),
    async now(session, { moment }) {
      if (!moment || moment.kind.hasZone) return undefined;
      const { clock } = dialect;
      const text = clock
        ? (await all(session, { text: clock, values: [] }))[0]?.[0]
        : new Date().toISOString();
      if (!text) throw new Error('the server does not tell its time');
      // What rounds or cuts a moment takes no more of it.
      return moment.kind.isDay ? `${text.slice(0, 10)}T00:00:00Z` : `${text.slice(0, 19)}Z`;
    },
    async estimate(session, table, since) {
      const [[answer] = []] = await all(session, countRows(dialect, table, since));
      return answer ? dialect.count.read(answer) : undefined;
    },
    async *rows(session, table, since, waiting) {
      const most = mostRows && Math.min(mostRows, waiting.statementRows);
      const find = finderOf(dialect, table);
      let read = 0;
      for await (const rows of stream(session, readRows(dialect, table, since, most), waiting)) {
        if (rows === 'more') read = Number.POSITIVE_INFINITY;
        else {
          yield rows.map(find);
          read += rows.length;
        }
      }
      if (most !== undefined && read >= most) yield 'more';
    },
  } satisfies Pick<
    Protocol<S, Table>,
    'look' | 'find' | 'sample' | 'repeated' | 'timeless' | 'now' | 'estimate' | 'rows'
  >;
};
