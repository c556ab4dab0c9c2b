/** What a workspace may configure about applying its requests. */
import { defaultOutcomeDays, type Store } from '@roster/store';

export interface TrackSettings {
  keepProperties: boolean;
  outcomeDays: number;
}

export type SettingsOf = (ws: string) => TrackSettings | Promise<TrackSettings>;

export const defaultSettings: TrackSettings = { keepProperties: true, outcomeDays: defaultOutcomeDays };

interface StoredSettings {
  id: string;
  track?: { keep_event_properties?: boolean };
  retention?: { outcome_days?: number };
}

const settingsIn = ({ track, retention }: StoredSettings): TrackSettings => ({
  keepProperties: track?.keep_event_properties ?? defaultSettings.keepProperties,
  outcomeDays: retention?.outcome_days ?? defaultSettings.outcomeDays,
});

/** From MongoDB, at most so old. */
export const createSettingsOf = ({ workspaces }: Pick<Store, 'workspaces'>, maxAgeMs = 5_000): SettingsOf => {
  const kept = new Map<string, { settings: TrackSettings; until: number }>();

  const read = async (ws: string): Promise<TrackSettings> => {
    const found = await workspaces.get<StoredSettings>(ws);
    const settings = found ? settingsIn(found) : defaultSettings;
    kept.set(ws, { settings, until: performance.now() + maxAgeMs });
    return settings;
  };

  return (ws) => {
    const known = kept.get(ws);
    return known && performance.now() < known.until ? known.settings : read(ws);
  };
};
