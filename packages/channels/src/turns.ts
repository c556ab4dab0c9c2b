/** So many at once under one name; the others wait for their turn. */
export const createTurns = (atOnce: number) => {
  const lanes = new Map<string, { under: number; waiting: (() => void)[] }>();
  return async <Done>(name: string, work: () => Promise<Done>): Promise<Done> => {
    const lane = lanes.get(name) ?? { under: 0, waiting: [] };
    lanes.set(name, lane);
    if (lane.under < atOnce) lane.under += 1;
    else await new Promise<void>((resolve) => lane.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever waits takes this place over.
      const next = lane.waiting.shift();
      if (next) next();
      else lane.under -= 1;
      if (lane.under === 0) lanes.delete(name);
    }
  };
};
