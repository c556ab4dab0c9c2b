/** How long each workspace keeps its occurrences, as edges: occurrences before the edge of their workspace are rolled up. */
import type { Store } from '@roster/store';

/** The period of a profile's export (api.md). */
const defaultEventDays = 90;

const dayMs = 24 * 60 * 60 * 1000;

export interface Edges {
  of(ws: string): Date;
  /** No edge is later: without older rows there is nothing to roll up. */
  latest: Date;
}

/** As stored: a workspace says only what it wants different. */
interface StoredRetention {
  id: string;
  retention?: { event_days?: number };
}

const edgesOf = (settings: readonly StoredRetention[], now: number): Edges => {
  const days = new Map(settings.map(({ id, retention }) => [id, retention?.event_days ?? defaultEventDays]));
  const edge = (count: number): Date => new Date(now - count * dayMs);
  const fewest = Math.min(defaultEventDays, ...days.values());
  return { of: (ws) => edge(days.get(ws) ?? defaultEventDays), latest: edge(fewest) };
};

/** Read at the beginning of each run: a change of the settings counts from the next one on. */
export const readEdges = async ({ workspaces }: Pick<Store, 'workspaces'>, now: number): Promise<Edges> =>
  edgesOf(await workspaces.list<StoredRetention>(), now);
