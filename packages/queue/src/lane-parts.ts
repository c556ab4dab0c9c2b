/** The requests of one write, parted by their lanes. */
import type { Sized } from './group.ts';

/** Requests that go the same way. Those of a heavy workspace are by themselves, so that workers can alternate between workspaces. */
export interface Part {
  heavy: boolean;
  items: readonly Sized[];
}

/** The heavy workspaces with parts that are being written to Redis. */
export const createWriting = () => {
  const parts = new Map<string, number>();
  return {
    has: (ws: string): boolean => parts.has(ws),
    began(all: Part[]): Part[] {
      for (const { heavy, items } of all) {
        const ws = items[0]?.request.ws;
        if (heavy && ws !== undefined) parts.set(ws, 1 + (parts.get(ws) ?? 0));
      }
      return all;
    },
    ended(ws: string): void {
      const others = (parts.get(ws) ?? 1) - 1;
      if (others > 0) parts.set(ws, others);
      else parts.delete(ws);
    },
  };
};

/** The requests of each heavy workspace, and all others together. */
export const partsOfSeveral = (items: readonly Sized[], isHeavy: (ws: string) => boolean): Part[] => {
  const normal: Sized[] = [];
  const byWorkspace = new Map<string, Sized[]>();
  for (const item of items) {
    const { ws } = item.request;
    const own = byWorkspace.get(ws) ?? (isHeavy(ws) ? [] : normal);
    byWorkspace.set(ws, own);
    own.push(item);
  }
  const heavy = [...byWorkspace.values()].filter((own) => own !== normal);
  const parts = heavy.map((own): Part => ({ heavy: true, items: own }));
  return normal.length > 0 ? [{ heavy: false, items: normal }, ...parts] : parts;
};
