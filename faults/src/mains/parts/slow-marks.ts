import { setTimeout as sleep } from 'node:timers/promises';
import { createMarks } from '@roster/track-service';
import type { Replacements } from './track.ts';

/**
 * Takes so long for each request, inside the transaction, as a MongoDB would that can't do more. What the workers can take is known
 * then, on any machine, and the callers do not wait for the machine's CPU.
 */
export const slowMarks =
  (msForEach: number): NonNullable<Replacements['marks']> =>
  (store) => {
    const marks = createMarks(store);
    return {
      ...marks,
      async write(session, written, found) {
        await sleep(msForEach * written.length);
        await marks.write(session, written, found);
      },
    };
  };
