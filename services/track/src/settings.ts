/** What a workspace may configure about applying its requests. */
import { type AttributeSettings, mostElements } from '@roster/profile';
import { defaultOutcomeDays, type Store } from '@roster/store';

export interface TrackSettings extends AttributeSettings {
  keepProperties: boolean;
  outcomeDays: number;
  /** Ids of the apps; when none are listed, any will do. */
  apps: ReadonlySet<string>;
  /** What a unit of each currency is worth in the reporting currency, as decimal text. */
  rates: ReadonlyMap<string, string>;
}

export type SettingsOf = (ws: string) => TrackSettings | Promise<TrackSettings>;

const defaultReporting = 'USD';

export const defaultSettings: TrackSettings = {
  keepProperties: true,
  outcomeDays: defaultOutcomeDays,
  blockedAttributes: new Set(),
  mostElements,
  apps: new Set(),
  rates: new Map([[defaultReporting, '1']]),
};

/** As stored, perhaps by an earlier version. */
interface StoredSettings {
  id: string;
  apps?: { id: string }[];
  track?: { keep_event_properties?: boolean; max_array_elements?: number; blocked_attributes?: string[] };
  currency?: { reporting?: string; rates?: Record<string, string | number> };
  retention?: { outcome_days?: number };
}

const ratesIn = ({ reporting = defaultReporting, rates = {} }: NonNullable<StoredSettings['currency']>) =>
  new Map([
    ...Object.entries(rates).map(([code, rate]): [string, string] => [code, String(rate)]),
    [reporting, '1'],
  ]);

const settingsIn = ({
  apps = [],
  track = {},
  currency = {},
  retention = {},
}: StoredSettings): TrackSettings => ({
  keepProperties: track.keep_event_properties ?? defaultSettings.keepProperties,
  outcomeDays: retention.outcome_days ?? defaultSettings.outcomeDays,
  blockedAttributes: new Set(track.blocked_attributes),
  mostElements: track.max_array_elements ?? defaultSettings.mostElements,
  apps: new Set(apps.map(({ id }) => id)),
  rates: ratesIn(currency),
});

export const settingsOfAll = async (
  requests: readonly { ws: string }[],
  settingsOf: SettingsOf,
): Promise<ReadonlyMap<string, TrackSettings>> => {
  const all = new Map<string, TrackSettings>();
  for (const { ws } of requests) if (!all.has(ws)) all.set(ws, await settingsOf(ws));
  return all;
};

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
