/**
 * In one turn of the event loop a workspace starts a few requests; its others wait for the next turns. So a workspace that sends hundreds at
 * once makes the request of another wait for a few of them, not for all (docs/adr/ingress.md).
 */
const mostInTurn = 16;

type Go = () => void;

export const createTurns = (most = mostInTurn) => {
  /** By workspace, in this turn. */
  const started = new Map<string, number>();
  const lines = new Map<string, Set<Go>>();
  let isLooking = false;

  const startNext = (ws: string, line: Set<Go>): void => {
    let count = 0;
    for (const go of line) {
      if (count === most) break;
      count += 1;
      line.delete(go);
      go();
    }
    started.set(ws, count);
    if (line.size === 0) lines.delete(ws);
  };

  const nextTurn = (): void => {
    isLooking = false;
    started.clear();
    for (const [ws, line] of lines) startNext(ws, line);
    if (started.size > 0) lookInNextTurn();
  };

  const lookInNextTurn = (): void => {
    if (!isLooking) setImmediate(nextTurn);
    isLooking = true;
  };

  return {
    /** Nothing when the request may start at once. */
    take(ws: string): Promise<void> | undefined {
      lookInNextTurn();
      const before = started.get(ws) ?? 0;
      if (before < most) {
        started.set(ws, before + 1);
        return undefined;
      }
      const line = lines.get(ws) ?? new Set<Go>();
      lines.set(ws, line);
      return new Promise((resolve) => line.add(resolve));
    },
  };
};

export type Turns = ReturnType<typeof createTurns>;
