/** Sources whose drivers run in a process of their own. */
import { openLog, type RowLog } from '../log/log.ts';
import { openSource, readColumns } from '../open-source.ts';
import { lookBack } from '../place.ts';
import type { ServerSettings, ServerTable, SourceSettings, SourceTable } from '../settings.ts';
import type { Column, Page, Source } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { type ApartOptions, type Asking, createAsking } from './asking.ts';

export interface Sources {
  openSource(settings: SourceSettings): Source;
  readColumns(table: SourceTable): Promise<readonly Column[]>;
  openLog(where: ServerTable): RowLog;
  /** Ends what is open. */
  close(): Promise<void>;
}

export const inThisProcess: Sources = { openSource, readColumns, openLog, close: async () => {} };

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');

const sourceOf = ({ ask, one }: Asking, table: ServerSettings): Source => {
  const closing = new AbortController();
  const endOf = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, closing.signal]);
  return {
    test: () => one({ do: 'test', table }, closing.signal),
    estimate: (since, signal) => one({ do: 'estimate', table, since }, endOf(signal)),
    missed: (_since, _before, signal) => one({ do: 'missed', table }, endOf(signal)),
    clock: (signal, mostSeconds) => one({ do: 'clock', table, mostSeconds }, endOf(signal)),
    pages: ({ signal, rest: _, ...options }) =>
      ask({ do: 'pages', table, options }, endOf(signal)) as AsyncIterable<Page>,
    lookBack,
    close: async () => closing.abort(new SourceError('connection_lost', 'the source is closed')),
  };
};

const logOf = ({ one, isStarted }: Asking, table: ServerTable): RowLog => ({
  test: () => one({ do: 'log.test', table }),
  write: (lines) => one({ do: 'log.write', table, lines }),
  close(): void {
    // What has ended has no connection.
    if (isStarted()) one({ do: 'log.close', table }).catch(() => {});
  },
});

/** Files and warehouses that are asked over HTTP have no driver: they stay in this process. */
const sourcesOf = (asking: Asking, close: Sources['close']): Sources => ({
  openSource: (settings) => ('url' in settings ? sourceOf(asking, settings) : openSource(settings)),
  readColumns: (table) => ('url' in table ? asking.one({ do: 'columns', table }) : readColumns(table)),
  openLog: (where) => logOf(asking, where),
  close,
});

/** In a process that begins with the first question and ends with `close`. */
export const openApart = (options: ApartOptions): Sources => {
  if (isSource && !options.script) return inThisProcess;
  const asking = createAsking(options);
  return sourcesOf(asking, asking.close);
};

export interface ReadersOptions extends Omit<ApartOptions, 'onEnd'> {
  /** Processes at a time, with those that wait. */
  readonly most: number;
  /** How long one waits for a job of the same owner, */
  readonly idleMs?: number;
  /** and how old it may be then. */
  readonly oldestMs?: number;
  /** One that was not closed has ended. */
  onEnd?(why: SourceError, owner: string): void;
}

interface Waiting {
  readonly owner: string;
  readonly asking: Asking;
  readonly startedAt: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Each job has a process of its own. One that has answered all questions of its job waits for the next job of the same owner: starting it
 * takes more of a processor than a sync that has little to read, or fails at once.
 */
export const createReaders = (options: ReadersOptions) => {
  const { most, idleMs = 5_000, oldestMs = 60_000, onEnd } = options;
  let waiting: Waiting[] = [];
  let used = 0;
  let isOpen = true;

  const take = (found: Waiting): Asking => {
    clearTimeout(found.timer);
    waiting = waiting.filter((one) => one !== found);
    return found.asking;
  };

  const wait = (owner: string, asking: Asking, startedAt: number): void => {
    const timer = setTimeout(() => void take(one).close(), idleMs).unref();
    const one = { owner, asking, startedAt, timer };
    waiting.push(one);
  };

  return {
    /** `owner`: whose server it reads. */
    open(owner: string): Sources {
      if (isSource && !options.script) return inThisProcess;
      const found = waiting.find((one) => one.owner === owner && one.asking.isFree());
      const [oldest] = waiting;
      if (!found && oldest && used + waiting.length >= most) void take(oldest).close();
      const asking = found ? take(found) : createAsking({ ...options, onEnd: (why) => onEnd?.(why, owner) });
      const startedAt = found?.startedAt ?? performance.now();
      used += 1;
      return sourcesOf(asking, async () => {
        used -= 1;
        const isYoung = performance.now() - startedAt < oldestMs;
        if (isOpen && isYoung && asking.isFree()) wait(owner, asking, startedAt);
        else await asking.close();
      });
    },
    async close(): Promise<void> {
      isOpen = false;
      await Promise.all(waiting.map((one) => take(one).close()));
    },
  };
};
