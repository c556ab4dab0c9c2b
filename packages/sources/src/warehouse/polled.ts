/** Statements that a warehouse runs by itself: begun, asked for until they have a result, and ended in the server when their reader stops. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError } from '../source-error.ts';
import type { Statement } from './statements.ts';

export interface Polled {
  /** Its answer names the statement. */
  begin(statement: Statement, ms: number, signal: AbortSignal): Promise<string>;
  /** Undefined while the statement runs. */
  result(id: string, signal: AbortSignal): Promise<unknown>;
  cancel(id: string, signal: AbortSignal): Promise<unknown>;
}

const cancelMs = 5_000;
const [firstPauseMs, mostPauseMs] = [5, 1_000];

export const tooSlow = (): SourceError =>
  new SourceError(
    'time_limit',
    'the statement took longer than its time limit: cluster the table by the column of UPDATED_AT',
  );

export const createPolling = ({ begin, result, cancel }: Polled) => {
  const open = new Set<string>();

  const end = async (id: string): Promise<void> => {
    if (!open.delete(id)) return;
    await cancel(id, AbortSignal.timeout(cancelMs)).catch(() => {});
  };
  const awaited = async (id: string, ms: number, signal: AbortSignal): Promise<unknown> => {
    const until = performance.now() + ms;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, mostPauseMs)) {
      const value = await result(id, signal);
      if (value !== undefined) return value;
      if (performance.now() > until) throw tooSlow();
      await sleep(pauseMs, undefined, { signal });
    }
  };

  return {
    /** A reader that stops does not stop the first request: without its answer nobody could end the statement. */
    async run(
      statement: Statement,
      ms: number,
      signal: AbortSignal,
    ): Promise<{ id: string; first: unknown }> {
      const id = await begin(statement, ms, new AbortController().signal);
      open.add(id);
      try {
        signal.throwIfAborted();
        const first = await awaited(id, ms, signal);
        open.delete(id);
        return { id, first };
      } finally {
        await end(id);
      }
    },
    close: async (): Promise<void> => {
      await Promise.all([...open].map(end));
    },
  };
};
