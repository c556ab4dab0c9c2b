/** Gives the taken bytes back; a second call does nothing. */
export type Release = () => void;

export interface Waiting {
  amount: number;
  grant(): void;
}

/** Waiting requests by workspace. The first workspace has the next turn. */
export const createLines = () => {
  const lines = new Map<string, Set<Waiting>>();
  return {
    isEmpty: (): boolean => lines.size === 0,
    all: (): Iterable<[string, Set<Waiting>]> => lines,
    join(ws: string, waiting: Waiting): void {
      lines.set(ws, (lines.get(ws) ?? new Set<Waiting>()).add(waiting));
    },
    leave(ws: string, waiting: Waiting): void {
      const line = lines.get(ws);
      line?.delete(waiting);
      if (line?.size === 0) lines.delete(ws);
    },
    /** The others come first now. */
    toTheEnd(ws: string): void {
      const line = lines.get(ws);
      if (!line) return;
      lines.delete(ws);
      lines.set(ws, line);
    },
  };
};
