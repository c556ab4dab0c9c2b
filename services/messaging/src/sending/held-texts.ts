/** Texts that are written and not sent yet: so many bytes and steps of one turn, so many bytes of a workspace and of this process. */
import { createTally } from '@roster/contract';

const megabyte = 1024 * 1024;

/** What one turn may still be given when it is nearly full: a series has a million characters, and one person as many again. */
const mostOfSeries = 4 * megabyte;

export const heldLimits = {
  turn: 16 * megabyte,
  workspace: 32 * megabyte,
  process: 64 * megabyte,
  /** So a turn ends before its lease, also on a slow machine: 20 of the most costly texts. A newsletter takes about a thousand. */
  steps: 2_000_000,
};

export type HeldLimits = typeof heldLimits;

export const createHeldTexts = (limits: HeldLimits = heldLimits) => {
  const ofWorkspace = createTally();
  let all = 0;
  let waiting: (() => void)[] = [];

  const change = (ws: string, bytes: number): void => {
    all += bytes;
    ofWorkspace.add(ws, bytes);
    if (bytes >= 0) return;
    const others = waiting;
    waiting = [];
    for (const look of others) look();
  };

  const isFree = (ws: string): boolean =>
    all + limits.turn <= limits.process && ofWorkspace.of(ws) + limits.turn <= limits.workspace;

  /** What one turn holds. */
  const turn = (ws: string) => {
    let [reserved, bytes, steps] = [0, 0, 0];
    const become = (next: number): void => {
      const before = reserved;
      reserved = next;
      change(ws, next - before);
    };
    return {
      /** Before the first text is written: waits until the workspace and the process have room for a whole turn. What a turn reads before that holds up nobody. */
      async enter(): Promise<void> {
        if (reserved > 0) return;
        while (!isFree(ws)) await new Promise<void>((look) => waiting.push(look));
        become(limits.turn);
      },
      /** Whether another series may be written. */
      hasRoom: (): boolean => bytes <= Math.max(0, limits.turn - mostOfSeries) && steps < limits.steps,
      add(more: { bytes: number; steps: number }): void {
        bytes += more.bytes;
        steps += more.steps;
        if (bytes > reserved) become(bytes);
      },
      /** All is written: others may have what was not needed. */
      settle: (): void => become(bytes),
      /** All is sent. */
      close: (): void => become(0),
    };
  };

  return { turn, bytes: (): number => all };
};

export type HeldTexts = ReturnType<typeof createHeldTexts>;

export type Held = ReturnType<HeldTexts['turn']>;
