/** What sending needs to know of a workspace. */
import { storedSettings, type WorkspaceSettings } from '@roster/access';
import { createSettingsOf, type SettingsOf, type Store } from '@roster/store';

export type SettingsOfSender = SettingsOf<WorkspaceSettings>;

export const createSenderSettings = ({ workspaces }: Pick<Store, 'workspaces'>): SettingsOfSender =>
  createSettingsOf(workspaces, storedSettings);

/** Of the subscription groups. Read anew: one may have been added a moment ago. */
export const groupIdsOf = async (store: Pick<Store, 'workspaces'>, ws: string): Promise<string[]> => {
  const { subscription_groups: groups } = await createSenderSettings(store)(ws);
  return groups.map(({ id }) => id);
};
