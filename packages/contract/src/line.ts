/** Messages that wait for room, the first one first, and each until its time (`performance.now()`). */
export const createLine = () => {
  const waiting = new Set<(hasRoom: boolean) => void>();
  const callOne = (): boolean => {
    const [first] = waiting;
    first?.(true);
    return first !== undefined;
  };
  return {
    callOne,
    callAll(): void {
      while (callOne());
    },
    isEmpty: (): boolean => waiting.size === 0,
    /** Resolves with `false` when it is too late. */
    before: (until: number): Promise<boolean> =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        const go = (hasRoom: boolean): void => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve(hasRoom);
        };
        waiting.add(go);
        if (until < Number.POSITIVE_INFINITY) timer = setTimeout(go, until - performance.now(), false);
      }),
  };
};

export type Line = ReturnType<typeof createLine>;
