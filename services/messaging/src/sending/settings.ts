/** What sending needs to know of a workspace. */
import { completeSettings, upToDate, type WorkspaceSettings } from '@roster/access';
import { createSettingsOf, type SettingsOf, type Store } from '@roster/store';

export type SettingsOfSender = SettingsOf<WorkspaceSettings>;

/** A workspace that is gone has the usual settings. */
export const createSenderSettings = ({ workspaces }: Pick<Store, 'workspaces'>): SettingsOfSender =>
  createSettingsOf<WorkspaceSettings, WorkspaceSettings>(workspaces, (stored) =>
    stored ? upToDate(stored) : completeSettings({ id: 'none' }),
  );
