/** The settings of workspaces for a worker: from MongoDB, with a bound on their age. */
import type { Identifiable, Records } from './records.ts';

/** A value without a promise when it is cached, which is nearly always. */
export type SettingsOf<Settings> = (ws: string) => Settings | Promise<Settings>;

/** `read` makes the settings of the stored record, perhaps from an earlier version, or of nothing for an unknown workspace. */
export const createSettingsOf = <Stored extends Identifiable, Settings>(
  { get }: Pick<Records, 'get'>,
  read: (stored: Stored | undefined) => Settings,
  maxAgeMs = 5_000,
): SettingsOf<Settings> => {
  const kept = new Map<string, { settings: Settings; until: number }>();

  const readAnew = async (ws: string): Promise<Settings> => {
    const settings = read(await get<Stored>(ws));
    kept.set(ws, { settings, until: performance.now() + maxAgeMs });
    return settings;
  };

  return (ws) => {
    const known = kept.get(ws);
    return known && performance.now() < known.until ? known.settings : readAnew(ws);
  };
};

/** The settings of each workspace of a batch. */
export const settingsOfAll = async <Settings>(
  requests: readonly { ws: string }[],
  settingsOf: SettingsOf<Settings>,
): Promise<ReadonlyMap<string, Settings>> => {
  const all = new Map<string, Settings>();
  for (const { ws } of requests) if (!all.has(ws)) all.set(ws, await settingsOf(ws));
  return all;
};
