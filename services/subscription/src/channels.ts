/** Whether a subscription group is one of emails or of text messages, by the current settings of the workspaces of a batch. */
import type { NamedStatement } from '@roster/profile';
import type { Store } from '@roster/store';

type StatementChannel = NamedStatement['channel'];

export type ChannelOf = (ws: string, group: string) => StatementChannel;

interface StoredSettings {
  id: string;
  subscription_groups?: { id: string; channel: StatementChannel }[];
}

/** A removed group may have been one of emails: then a statement counts for more people, not for fewer. */
export const channelsOf = async (
  { workspaces }: Pick<Store, 'workspaces'>,
  requests: readonly { ws: string }[],
): Promise<ChannelOf> => {
  const texts = new Map<string, Set<string>>();
  for (const ws of new Set(requests.map((request) => request.ws))) {
    const groups = (await workspaces.get<StoredSettings>(ws))?.subscription_groups ?? [];
    texts.set(ws, new Set(groups.filter(({ channel }) => channel === 'sms').map(({ id }) => id)));
  }
  return (ws, group) => (texts.get(ws)?.has(group) ? 'sms' : 'email');
};
