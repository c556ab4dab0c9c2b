/** At most so many at once; the others wait in the order in which they came. */
export const createSlots = (atOnce: number, mostMs = 30_000): Slots => {
  const waiting: (() => void)[] = [];
  let free = atOnce;

  /** Hands the slot to the next waiting call; without one it is free again. */
  const handOn = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    let isHeld = true;
    const leave = (): void => {
      if (isHeld) handOn();
      isHeld = false;
      clearTimeout(timer);
    };
    // An answer that is never sent does not keep its slot for ever.
    const timer = setTimeout(leave, mostMs);
    timer.unref();
    return leave;
  };
};

/** Resolves when there is a slot; what it gives is called when the work is over. */
export type Slots = () => Promise<() => void>;
