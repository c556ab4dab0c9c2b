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

/** `undefined`: the app has none for this channel. */
export const credentialsOf = async <Channel extends ProviderChannel>(
  io: Io,
  settings: WorkspaceSettings,
  channel: Channel,
  app: unknown,
) => {
  // Only here: it takes its time to load.
  const { appCredentials, createReadCredential } = await import('@roster/channels');
  const read = createReadCredential({ env: io.env, dir: settingsOf(io).CREDENTIALS_DIR });
  return appCredentials(channel, settings, app, read).catch((error) => {
    throw wrong(messageOf(error));
  });
};

export const sendFrom = async (
  io: Io,
  settings: WorkspaceSettings,
  { channel, app, to, content, without }: OneMessage,
): Promise<Answer> => {
  const credentials = await credentialsOf(io, settings, channel, app);
  if (!credentials) throw missing(without);
  const { openChannels } = await import('@roster/channels');
  const channels = openChannels();
  try {
    return await channels.send(channel, credentials, { id: randomUUID(), to, content });
  } finally {
    await channels.close();
  }
};
