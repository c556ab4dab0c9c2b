/**
 * Rows that a driver pushes, handed on as fast as they are pulled: the socket is paused while enough rows wait. It ends with an
 * error when the server is silent while rows are wanted.
 */
import { bounds } from './bounds.ts';
import { SourceError } from './source-error.ts';

export interface Valve {
  pause(): void;
  resume(): void;
}

const silent = (ms: number): SourceError =>
  new SourceError('no_answer', `the server has sent nothing for ${Math.round(ms / 1000)} s`);

export const createFlow = <Item>(valve: Valve) => {
  let items: Item[] = [];
  let bytes = 0;
  let state: 'open' | 'ended' | { readonly error: unknown } = 'open';
  let wake = (): void => {};

  const settle = (next: typeof state): void => {
    if (state === 'open') state = next;
    wake();
  };
  const news = (silenceMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => settle({ error: silent(silenceMs) }), silenceMs);
      wake = () => {
        clearTimeout(timer);
        wake = () => {};
        resolve();
      };
    });

  return {
    push(item: Item, size: number): void {
      items.push(item);
      bytes += size;
      if (bytes >= bounds.aheadBytes) valve.pause();
      wake();
    },
    end: (): void => settle('ended'),
    /** The first error counts. */
    fail: (error: unknown): void => settle({ error }),
    /** What has come since the last call; nothing at the end. */
    async take(silenceMs: number): Promise<readonly Item[] | undefined> {
      while (items.length === 0 && state === 'open') await news(silenceMs);
      if (items.length > 0) {
        const taken = items;
        items = [];
        bytes = 0;
        valve.resume();
        return taken;
      }
      if (typeof state === 'object') throw state.error;
      return undefined;
    },
  };
};

export type Flow<Item> = ReturnType<typeof createFlow<Item>>;
