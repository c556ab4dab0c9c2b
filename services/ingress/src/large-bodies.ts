/**
 * Large bodies are counted, parsed and judged in a thread of their own: meanwhile the event loop goes on with small requests. Only bytes go
 * there and come back, and they change hands without a copy (docs/adr/0036).
 */

import { type LargeBodiesOptions, startThread, type Thread } from './body-thread.ts';
import type { Counted } from './understand.ts';

/** A body takes less than a fifth of a second, and those before it have 6 MB together. */
const usualPatienceMs = 10_000;

const createAsk = (thread: Thread, patienceMs: number): Thread['ask'] => {
  const late = new Error(`a large body took more than ${patienceMs} ms`);
  return async (message, bytes) => {
    const timer = setTimeout(() => void thread.end(late), patienceMs);
    try {
      return await thread.ask(message, bytes);
    } finally {
      clearTimeout(timer);
    }
  };
};

interface LargeBody {
  id: number;
  bytes: Buffer;
  patienceMs: number;
}

/** Counts a body in the thread. It stays there until it is judged or dropped. */
const understandIn = async (thread: Thread, { id, bytes, patienceMs }: LargeBody): Promise<Counted> => {
  const ask = createAsk(thread, patienceMs);
  const answer = await ask({ id, bytes }, bytes);
  if (!('shape' in answer)) throw new Error('a body was judged before it was counted');
  return {
    shape: answer.shape,
    async judge({ operation, ...question }) {
      const found = await ask({ id, question: { ...question, operation: operation.id } });
      if (!('judged' in found)) throw new Error('a body was counted twice');
      const { body, ...judged } = found.judged;
      // Bytes of a Buffer arrive as those of a plain array.
      return { ...judged, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
    },
    drop: () => thread.tell({ id, drop: true }),
  };
};

/**
 * The start of the thread takes longer than any body: after `begin` no caller waits for it. Once the thread has ended, the next large
 * body starts another one.
 */
export const openLargeBodies = (options: LargeBodiesOptions) => {
  const { onError, patienceMs = usualPatienceMs } = options;
  const { script = new URL('./large-bodies-thread.js', import.meta.url) } = options;
  let thread: Thread | undefined;
  let last = 0;

  const start = (): Thread => {
    const started = startThread(script, (cause) => {
      if (thread === started) thread = undefined;
      if (cause) onError(cause);
    });
    return started;
  };

  return {
    begin(): void {
      thread ??= start();
    },
    async understand(bytes: Buffer): Promise<Counted> {
      thread ??= start();
      return understandIn(thread, { id: ++last, bytes, patienceMs });
    },
    close: async (): Promise<void> => thread?.end(),
  };
};
