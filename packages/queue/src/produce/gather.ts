/**
 * Group commit: while one write is under way, arrivals gather, and the next write takes them all. There is no timer and no waiting when idle.
 * When a write fails, the requests behind it fail too: they would only wait for the same error.
 */
export const createGathering = <In, Out>(
  write: (items: In[]) => Promise<Out[]>,
): ((item: In) => Promise<Out>) => {
  interface Waiting {
    item: In;
    resolve(out: Out): void;
    reject(error: unknown): void;
  }
  let gathered: Waiting[] = [];
  let writing = false;

  const take = (): Waiting[] => {
    const taken = gathered;
    gathered = [];
    return taken;
  };

  const settle = async (group: Waiting[]): Promise<void> => {
    try {
      const outs = await write(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(outs[index] as Out);
    } catch (error) {
      for (const { reject } of [...group, ...take()]) reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    writing = true;
    while (gathered.length > 0) await settle(take());
    writing = false;
  };

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      gathered.push({ item, resolve, reject });
      // A microtask later, so that requests from one read of the sockets share one write.
      if (!writing) {
        writing = true;
        queueMicrotask(drain);
      }
    });
};
