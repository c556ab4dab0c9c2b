/** The settings of a workspace that matter for its requests. */
import { type AttributeSettings, mostElements, usualProfileBytes } from '@roster/profile';
import {
  createSettingsOf as createCached,
  defaultOutcomeDays,
  type SettingsOf as Of,
  type Store,
} from '@roster/store';

export interface TrackSettings extends AttributeSettings {
  keepProperties: boolean;
  outcomeDays: number;
  /** Ids of the apps; an empty set allows every id. */
  apps: ReadonlySet<string>;
  /** The value of a unit of each currency in the reporting currency, as decimal text. */
  rates: ReadonlyMap<string, string>;
}

export type SettingsOf = Of<TrackSettings>;

const defaultReporting = 'USD';

export const defaultSettings: TrackSettings = {
  keepProperties: true,
  outcomeDays: defaultOutcomeDays,
  blockedAttributes: new Set(),
  mostElements,
  mostProfileBytes: usualProfileBytes,
  apps: new Set(),
  rates: new Map([[defaultReporting, '1']]),
};

/** As stored: a workspace says only what it wants different. */
interface StoredSettings {
  id: string;
  apps?: { id: string }[];
  subscription_groups?: { id: string; channel: 'email' | 'sms' }[];
  track?: {
    keep_event_properties?: boolean;
    max_array_elements?: number;
    max_profile_bytes?: number;
    blocked_attributes?: string[];
  };
  currency?: { reporting?: string; rates?: Record<string, string | number> };
  retention?: { outcome_days?: number };
}

const ratesIn = ({ reporting = defaultReporting, rates = {} }: NonNullable<StoredSettings['currency']>) =>
  new Map([
    ...Object.entries(rates).map(([code, rate]): [string, string] => [code, String(rate)]),
    [reporting, '1'],
  ]);

const isOfTextsIn = (groups: NonNullable<StoredSettings['subscription_groups']>) => {
  const texts = new Set(groups.filter(({ channel }) => channel === 'sms').map(({ id }) => id));
  return (group: string): boolean => texts.has(group);
};

const settingsIn = ({
  apps = [],
  subscription_groups = [],
  track = {},
  currency = {},
  retention = {},
}: StoredSettings): TrackSettings => ({
  keepProperties: track.keep_event_properties ?? defaultSettings.keepProperties,
  outcomeDays: retention.outcome_days ?? defaultSettings.outcomeDays,
  blockedAttributes: new Set(track.blocked_attributes),
  mostElements: track.max_array_elements ?? defaultSettings.mostElements,
  mostProfileBytes: track.max_profile_bytes ?? defaultSettings.mostProfileBytes,
  apps: new Set(apps.map(({ id }) => id)),
  isOfTexts: isOfTextsIn(subscription_groups),
  rates: ratesIn(currency),
});

export const createSettingsOf = ({ workspaces }: Pick<Store, 'workspaces'>): SettingsOf =>
  createCached<StoredSettings, TrackSettings>(workspaces, (stored) =>
    stored ? settingsIn(stored) : defaultSettings,
  );
