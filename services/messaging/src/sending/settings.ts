/** What sending needs to know of a workspace. */
import { storedSettings, type WorkspaceSettings } from '@roster/access';
import { createSettingsOf, type SettingsOf, type Store } from '@roster/store';

export type SettingsOfSender = SettingsOf<WorkspaceSettings>;

export const createSenderSettings = ({ workspaces }: Pick<Store, 'workspaces'>): SettingsOfSender =>
  createSettingsOf(workspaces, storedSettings);
