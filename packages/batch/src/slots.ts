import { createTally } from '@roster/contract';

interface WaitingForSlot {
  ws: string;
  go(): void;
}

/** Resolves when there is a slot for the workspace; what it gives is called when the work is over. */
export type Slots = (ws: string) => Promise<() => void>;

/** At most so many at once. A slot that is free goes to the workspace that holds the fewest, and within it to the first that came. */
export const createSlots = (atOnce: number, mostMs = 30_000): Slots => {
  const held = createTally();
  let waiting: WaitingForSlot[] = [];
  let free = atOnce;

  const take = (ws: string): void => {
    free -= 1;
    held.add(ws, 1);
  };

  const next = (): void => {
    const fewest = Math.min(...waiting.map(({ ws }) => held.of(ws)));
    const chosen = waiting.find(({ ws }) => held.of(ws) === fewest);
    if (!chosen) return;
    waiting = waiting.filter((one) => one !== chosen);
    take(chosen.ws);
    chosen.go();
  };

  return async (ws) => {
    if (free > 0) take(ws);
    else await new Promise<void>((go) => waiting.push({ ws, go }));
    let isHeld = true;
    const leave = (): void => {
      clearTimeout(timer);
      if (!isHeld) return;
      isHeld = false;
      free += 1;
      held.add(ws, -1);
      next();
    };
    // An answer that is never sent does not keep its slot for ever.
    const timer = setTimeout(leave, mostMs);
    timer.unref();
    return leave;
  };
};
