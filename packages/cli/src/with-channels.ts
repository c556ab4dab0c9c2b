/** Sending one message from here, with the credentials of an app. */
import type { Channels, ReadCredential } from '@roster/channels';
import type { Io } from './io.ts';
import { settingsOf } from './local.ts';
import { messageOf, wrong } from './result.ts';

export const withChannels = async <Done>(
  io: Io,
  work: (channels: Channels, read: ReadCredential) => Promise<Done>,
): Promise<Done> => {
  // Only here: it takes its time to load.
  const { createReadCredential, openChannels } = await import('@roster/channels');
  const read = createReadCredential({ env: io.env, dir: settingsOf(io).CREDENTIALS_DIR });
  const channels = openChannels();
  try {
    return await work(channels, (reference) =>
      read(reference).catch((error) => {
        throw wrong(messageOf(error));
      }),
    );
  } finally {
    await channels.close();
  }
};
