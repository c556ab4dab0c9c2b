/** Gives work to what does one piece at a time: each owner's in its order, the owners in turn, so that much work of one does not hold up a single piece of another. */

type Waiting<Runner> = (runner: Runner) => Promise<void>;

export const createInTurn = <Runner>(runners: readonly Runner[]) => {
  const free = [...runners];
  /** By owner. Who stands first is next, and then goes to the end. */
  const lines = new Map<string, Waiting<Runner>[]>();

  const next = (): Waiting<Runner> | undefined => {
    const [entry] = lines;
    if (!entry) return undefined;
    const [owner, line] = entry;
    const first = line.shift();
    lines.delete(owner);
    if (line.length > 0) lines.set(owner, line);
    return first;
  };

  const go = (): void => {
    while (lines.size > 0) {
      const runner = free.shift();
      if (!runner) return;
      const begin = next();
      void begin?.(runner).finally(() => {
        free.push(runner);
        go();
      });
    }
  };

  return <Result>(owner: string, work: (runner: Runner) => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const line = lines.get(owner) ?? [];
      line.push((runner) => work(runner).then(resolve, reject));
      lines.set(owner, line);
      go();
    });
};
