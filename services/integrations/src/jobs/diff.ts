/** Diff mode: each sync reads the whole table in the order of its keys, beside what is kept of the rows that it had before. */
import type { Entry, Layout } from '@roster/integrations';
import { compareKeys, mostKeyCharacters, type PageRow, SourceError } from '@roster/sources';
import type { IntegrationDocument, Store } from '@roster/store';
import type { Collected } from './collector.ts';
import { countsOnce, createGoneRows, isRemoving } from './gone.ts';
import { anything, countKept, isGone, type KeptRow, nothing } from './kept.ts';
import { walkKept } from './kept-walk.ts';
import type { Layouts } from './layouts.ts';
import type { HashUnder, Seen } from './memory.ts';

/** Of an integration. */
const mostRows = 20_000_000;

interface DiffOptions {
  store: Store;
  integration: IntegrationDocument;
  layout: Layout;
  /** Key of the last row that a process before has put into a request. */
  from: string | undefined;
  layouts?: Pick<Layouts, 'name'>;
  /** Whether the row of a key has failed, and waits to be tried again. */
  hasFailed?(key: string): boolean;
  /** For tests. */
  most?: number;
}

const tooMany = (most: number): SourceError =>
  new SourceError(
    'too_large',
    `the table has more than ${most} rows, as many as diff mode may keep: a larger table needs a column for UPDATED_AT`,
  );

const disordered = (): SourceError =>
  new SourceError(
    'bad_settings',
    'the source does not give its rows in the order of the bytes of their keys',
  );

/** Why a row has no key. */
const keyProblem = ({ row, cursor, problem }: PageRow, { tie }: Layout): string | undefined => {
  const { key = '' } = cursor;
  if (key === '' || (row && (row[tie] ?? '') === ''))
    return problem ?? `the column ${tie} is empty, and rows are told apart by it`;
  return key.length > mostKeyCharacters
    ? `the column ${tie} has more than ${mostKeyCharacters} characters, and rows are told apart by it`
    : undefined;
};

/** Whether a row says what it said before, as its columns were mapped then. */
const createIsSame =
  (integration: IntegrationDocument, layouts: Pick<Layouts, 'name'> | undefined) =>
  (old: KeptRow | undefined, hash: Buffer, hashUnder: HashUnder | undefined): boolean => {
    if (!old || old.hash.equals(nothing)) return false;
    if (old.hash.equals(anything)) return true;
    const isMappedAlike = old.layout === undefined || old.layout === layouts?.name;
    const then = isMappedAlike ? hash : hashUnder?.(old.layout ?? '');
    return then ? old.hash.equals(then) : countsOnce(integration);
  };

export const openDiff = async ({
  store,
  integration,
  layout,
  from,
  layouts,
  hasFailed = () => false,
  most = mostRows,
}: DiffOptions) => {
  const removes = isRemoving(integration);
  const isSame = createIsSame(integration, layouts);
  const kept = await countKept(store, integration);
  const before = kept.rows - kept.gone;
  const gone = createGoneRows({ integration, hasFailed, isRoom: kept.rows < most });
  const walk = walkKept({ store, integration, keepGone: gone.keep, from, layout: layouts?.name });
  const [{ by }] = layout.identifiers;
  let added = 0;
  let last = from;
  /** Of the row that was met last: it can't be told from others. */
  let isOdd = false;
  let unread = false;

  return {
    before,
    /** Rows that this process has found gone. */
    gone: gone.count,
    isFull: walk.isFull,
    isChanged: walk.isChanged,
    /** Before a row is collected: passes the rows that would have come before it. */
    async meet(found: PageRow, write: () => Promise<void>): Promise<PageRow> {
      const { key = '' } = found.cursor;
      if (last !== undefined && compareKeys(key, last) < 0) throw disordered();
      const unreadable = keyProblem(found, layout);
      const problem =
        unreadable ??
        (key === last ? `another row has the same value in the column ${layout.tie}` : undefined);
      unread ||= unreadable !== undefined;
      isOdd = problem !== undefined;
      await walk.pass(key, write);
      last = key;
      return problem === undefined ? found : { cursor: found.cursor, id: key, problem };
    },
    /** Whether the row that was met is the same as before. */
    knows({ hash }: Seen, entry: Entry | undefined, hashUnder?: HashUnder): boolean {
      if (isOdd || last === undefined) return false;
      const person = removes ? entry?.[by] : undefined;
      const old = walk.see({ key: last, hash, ...(person !== undefined && { person }) });
      if (!old || isGone(old)) added += 1;
      if (before + added > most) throw tooMany(most);
      return isSame(old, hash, hashUnder);
    },
    /** No more rows come. */
    end: (write: () => Promise<void>): Promise<void> => walk.pass(undefined, write),
    take: (): Pick<Collected, 'kept' | 'unread'> => ({
      kept: walk.take(),
      ...(unread && { unread: true as const }),
    }),
  };
};

export type Diff = Awaited<ReturnType<typeof openDiff>>;
