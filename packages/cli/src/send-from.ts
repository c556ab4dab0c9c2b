/** Sending one message from here, with the credentials of an app. */
import { randomUUID } from 'node:crypto';
import type { WorkspaceSettings } from '@roster/access';
import type { Answer, ProviderChannel } from '@roster/channels';
import type { Io } from './io.ts';
import { settingsOf } from './local.ts';
import { messageOf, missing, wrong } from './result.ts';

interface OneMessage {
  channel: ProviderChannel;
  app: unknown;
  to: string;
  content: Record<string, unknown>;
  /** What to say when the app has no credentials for the channel. */
  without: string;
}

/** The code, and what the provider said. */
export const whyIn = ({ reason, words }: Exclude<Answer, { state: 'sent' }>): string =>
  words === undefined ? reason : `${reason}: ${words}`;

export const sendFrom = async (
  io: Io,
  settings: WorkspaceSettings,
  { channel, app, to, content, without }: OneMessage,
): Promise<Answer> => {
  // Only here: it takes its time to load.
  const { appCredentials, createReadCredential, openChannels } = await import('@roster/channels');
  const read = createReadCredential({ env: io.env, dir: settingsOf(io).CREDENTIALS_DIR });
  const credentials = await appCredentials(channel, settings, app, read).catch((error) => {
    throw wrong(messageOf(error));
  });
  if (!credentials) throw missing(without);
  const channels = openChannels();
  try {
    return await channels.send(channel, credentials, { id: randomUUID(), to, content });
  } finally {
    await channels.close();
  }
};
