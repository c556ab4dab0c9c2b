/**
 * In one turn of the event loop a workspace starts requests of so many bytes; its others wait for the next turns. So a workspace that sends
 * hundreds at once makes the request of another wait for a few of them, not for all (docs/adr/ingress.md).
 */
const mostInTurn = 64 * 1024;

/** A request costs as much as the bytes of its body, and at least this. */
const least = 1024;

type Go = () => void;

export const createTurns = (most = mostInTurn) => {
  /** Bytes by workspace, in this turn. */
  const started = new Map<string, number>();
  const lines = new Map<string, Map<Go, number>>();
  let isLooking = false;

  const startNext = (ws: string, line: Map<Go, number>): void => {
    let bytes = 0;
    for (const [go, own] of line) {
      if (bytes >= most) break;
      bytes += own;
      line.delete(go);
      go();
    }
    started.set(ws, bytes);
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
    take(ws: string, bytes: number): Promise<void> | undefined {
      lookInNextTurn();
      const own = Math.max(bytes, least);
      const before = started.get(ws) ?? 0;
      if (before < most) {
        started.set(ws, before + own);
        return undefined;
      }
      const line = lines.get(ws) ?? new Map<Go, number>();
      lines.set(ws, line);
      return new Promise((resolve) => line.set(resolve, own));
    },
  };
};

export type Turns = ReturnType<typeof createTurns>;
