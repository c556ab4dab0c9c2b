/** How long the outcomes of a workspace are kept. */
import { defaultOutcomeDays, type Store } from '@roster/store';
import type { OutcomeDaysOf } from './apply.ts';

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
