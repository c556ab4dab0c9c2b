/**
 * Which workspaces send more than their share of the requests that this process accepted in the last one to two seconds, so that others
 * would wait behind them. Each process decides by its own requests; the decision picks the lane and changes neither order nor effect.
 */

const windowMs = 1000;

/** Entries in this window and the one before. Fewer than this delay no other workspace noticeably, even with slow workers. */
const littleWork = 100;

/**
 * A workspace that was over its share stays so for this long: else one that uses up each window of its points at once, and pauses for the
 * rest of it, would begin each window before those who share the usual lane.
 */
const staysMs = 10_000;

/**
 * The share that one of so many workspaces may take: a quarter more than an even share, counting one workspace more that may come at any
 * moment. Never less than a fifth, because a workspace below that adds at most a quarter to the work of the others.
 */
export const fairShare = (workspaces: number): number => Math.max(1.25 / (workspaces + 1), 0.2);

interface Window {
  byWorkspace: Map<string, number>;
  total: number;
}

const emptyWindow = (): Window => ({ byWorkspace: new Map(), total: 0 });

export const createShares = () => {
  let current = emptyWindow();
  let previous = emptyWindow();
  let endMs = Number.NEGATIVE_INFINITY;
  const overUntil = new Map<string, number>();

  const turnTo = (nowMs: number): void => {
    previous = nowMs < endMs + windowMs ? current : emptyWindow();
    current = emptyWindow();
    endMs = nowMs + windowMs;
    for (const [ws, until] of overUntil) if (until <= nowMs) overUntil.delete(ws);
  };

  const isOverNow = (ws: string): boolean => {
    const work = (current.byWorkspace.get(ws) ?? 0) + (previous.byWorkspace.get(ws) ?? 0);
    if (work <= littleWork) return false;
    const workspaces = Math.max(current.byWorkspace.size, previous.byWorkspace.size);
    return work > fairShare(workspaces) * (current.total + previous.total);
  };

  return {
    /** Counts a request of so much work, in entries. Its mark counts as one more. */
    count(ws: string, work: number, nowMs: number): void {
      if (nowMs >= endMs) turnTo(nowMs);
      current.byWorkspace.set(ws, (current.byWorkspace.get(ws) ?? 0) + work + 1);
      current.total += work + 1;
    },
    isOver(ws: string, nowMs: number): boolean {
      if (isOverNow(ws)) overUntil.set(ws, nowMs + staysMs);
      return (overUntil.get(ws) ?? Number.NEGATIVE_INFINITY) > nowMs;
    },
  };
};
