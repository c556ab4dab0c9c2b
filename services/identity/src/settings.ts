/** How long the outcomes of a workspace are kept, and with them tombstones: nothing that was accepted before lives longer. */
import { defaultOutcomeDays, type Store } from '@roster/store';

export type OutcomeDaysOf = (ws: string) => number | Promise<number>;

interface StoredSettings {
  id: string;
  retention?: { outcome_days?: number };
}

/** From MongoDB, at most so old. */
export const createOutcomeDaysOf = (
  { workspaces }: Pick<Store, 'workspaces'>,
  maxAgeMs = 5_000,
): OutcomeDaysOf => {
  const kept = new Map<string, { days: number; until: number }>();

  const read = async (ws: string): Promise<number> => {
    const found = await workspaces.get<StoredSettings>(ws);
    const days = found?.retention?.outcome_days ?? defaultOutcomeDays;
    kept.set(ws, { days, until: performance.now() + maxAgeMs });
    return days;
  };

  return (ws) => {
    const known = kept.get(ws);
    return known && performance.now() < known.until ? known.days : read(ws);
  };
};

export const outcomeDaysOfAll = async (
  requests: readonly { ws: string }[],
  outcomeDaysOf: OutcomeDaysOf,
): Promise<ReadonlyMap<string, number>> => {
  const all = new Map<string, number>();
  for (const { ws } of requests) if (!all.has(ws)) all.set(ws, await outcomeDaysOf(ws));
  return all;
};
