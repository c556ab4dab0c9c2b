/** Hands a message to its provider, with the credentials of its app. Without credentials nothing leaves. */
import type { WorkspaceSettings } from '@roster/access';
import type { Answer, Channels, Credentials, ReadCredential } from '@roster/channels';
import type { Hand } from './send-one.ts';
import type { SettingsOfSender } from './settings.ts';
import type { Content } from './texts.ts';

interface HandOptions {
  channels: Pick<Channels, 'send'>;
  settingsOf: SettingsOfSender;
  readCredential: ReadCredential;
  /** The headers by which one click unsubscribes a person from all emails. */
  unsubscribeOf(ws: string, person: string): Record<string, string>;
}

const webhookCredentials = async (
  { apps, messaging }: WorkspaceSettings,
  readCredential: ReadCredential,
): Promise<Credentials['webhook']> => {
  const [reference] = apps.flatMap(({ channels }) => channels?.webhook?.secret ?? []);
  return {
    ...(reference && { secret: await readCredential(reference) }),
    allowPrivate: messaging.webhook_private_hosts,
  };
};

/** `undefined`: the app has no server. */
const emailCredentials = async (
  { apps }: WorkspaceSettings,
  { app_id }: Content,
  readCredential: ReadCredential,
): Promise<Credentials['email'] | undefined> => {
  const server = apps.find(({ id }) => id === app_id)?.channels?.email;
  return server && { smtp: await readCredential(server.smtp) };
};

export const createHand =
  ({ channels, settingsOf, readCredential, unsubscribeOf }: HandOptions): Hand =>
  async (ws, channel, to, { id, person, content }) => {
    const settings = await settingsOf(ws);
    try {
      if (channel === 'webhook')
        return await channels.send(channel, await webhookCredentials(settings, readCredential), {
          id,
          to,
          content,
        });
      const server =
        channel === 'email' ? await emailCredentials(settings, content, readCredential) : undefined;
      const headers = { ...(content.headers as object), ...unsubscribeOf(ws, person) };
      return server && (await channels.send('email', server, { id, to, content: { ...content, headers } }));
    } catch (error) {
      // A credential that can't be read: nothing has left.
      return { state: 'later', reason: (error as Error).message } satisfies Answer;
    }
  };
