/** Hands a message to its provider, with the credentials of its app. Without credentials nothing leaves. */
import type { WorkspaceSettings } from '@roster/access';
import {
  type Answer,
  appCredentials,
  type Channels,
  type Credentials,
  type ReadCredential,
} from '@roster/channels';
import type { Channel } from '@roster/store';
import type { Address } from './addresses.ts';
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

interface Handed {
  ws: string;
  settings: WorkspaceSettings;
  address: Address;
  message: { id: string; person: string; content: Content };
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

/** A device belongs to an app; other messages name theirs. */
const channelsOf = ({ settings: { apps }, address: { device }, message: { content } }: Handed) =>
  apps.find(({ id }) => id === (device?.app ?? content.app_id))?.channels;

export const createHand = (options: HandOptions): Hand => {
  const { channels, settingsOf, readCredential: read, unsubscribeOf } = options;

  const toWebhook = async ({ settings, message: { id, content } }: Handed): Promise<Answer> =>
    channels.send('webhook', await webhookCredentials(settings, read), { id, to: '', content });

  const toEmail = async (handed: Handed): Promise<Answer | undefined> => {
    const { ws, address, message } = handed;
    const server = await appCredentials('email', channelsOf(handed), read);
    if (!server) return undefined;
    const headers = { ...(message.content.headers as object), ...unsubscribeOf(ws, message.person) };
    return channels.send('email', server, {
      id: message.id,
      to: address.to,
      content: { ...message.content, headers },
    });
  };

  const toWeb = async (handed: Handed): Promise<Answer | undefined> => {
    const keys = await appCredentials('web_push', channelsOf(handed), read);
    const allowPrivate = handed.settings.messaging.webhook_private_hosts;
    const { address, message } = handed;
    return keys && channels.send('web_push', { ...keys, allowPrivate }, { ...message, to: address.to });
  };

  const toApp =
    (channel: 'ios_push' | 'droid_push' | 'sms' | 'whats_app') =>
    async (handed: Handed): Promise<Answer | undefined> => {
      const credentials = await appCredentials(channel, channelsOf(handed), read);
      const { address, message } = handed;
      return credentials && channels.send(channel, credentials, { ...message, to: address.to });
    };

  const toActivity = async (handed: Handed): Promise<Answer | undefined> => {
    const credentials = await appCredentials('ios_push', channelsOf(handed), read);
    const { address, message } = handed;
    return credentials && channels.send('live_activity', credentials, { ...message, to: address.to });
  };

  const hands: Readonly<Record<Channel, (handed: Handed) => Promise<Answer | undefined>>> = {
    ios_push: toApp('ios_push'),
    droid_push: toApp('droid_push'),
    web_push: toWeb,
    email: toEmail,
    sms: toApp('sms'),
    whats_app: toApp('whats_app'),
    webhook: toWebhook,
    live_activity: toActivity,
    // Apps read it where it is kept.
    content_card: async () => undefined,
  };

  return async (ws, channel, address, message) => {
    const settings = await settingsOf(ws);
    try {
      return await hands[channel]({ ws, settings, address, message });
    } catch (error) {
      // A credential that can't be read: nothing has left.
      return { state: 'later', reason: (error as Error).message } satisfies Answer;
    }
  };
};
