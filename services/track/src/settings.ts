/** The settings of a workspace that matter for its requests. */
import { createSettingsOf as createCached, type SettingsOf as Of, type Store } from '@roster/store';
import { defaultSettings, type StoredSettings, settingsIn, type TrackSettings } from './settings-in.ts';

export type SettingsOf = Of<TrackSettings>;

export const createSettingsOf = ({ workspaces }: Pick<Store, 'workspaces'>): SettingsOf =>
  createCached<StoredSettings, TrackSettings>(workspaces, (stored) =>
    stored ? settingsIn(stored) : defaultSettings,
  );
