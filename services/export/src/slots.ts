/** At most so many at once; the others wait in the order in which they came. */
export const createSlots = (atOnce: number) => {
  const waiting: (() => void)[] = [];
  let free = atOnce;

  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
  };
  /** Handed on, not given back, when somebody waits. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};

export type Slots = ReturnType<typeof createSlots>;
