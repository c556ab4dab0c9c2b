/** Hands a message to its provider, with the credentials of its app. Without credentials nothing leaves. */
import type { WorkspaceSettings } from '@roster/access';
import {
  type Answer,
  appCredentials,
  type Channels,
  type Leave,
  type PhoneCall,
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
  /** Where a provider of text messages tells what became of one. */
  reportUrl(call: PhoneCall): string;
  /** The headers by which one click unsubscribes a person from all emails. */
  unsubscribeOf(ws: string, person: string): Record<string, string>;
}

interface Handed {
  ws: string;
  settings: WorkspaceSettings;
  address: Address;
  message: { id: string; person: string; content: Content };
  leave: Leave;
}

const channelsOf = ({ apps }: WorkspaceSettings, app: unknown) => apps.find(({ id }) => id === app)?.channels;

export const createHand = (options: HandOptions): Hand => {
  const { channels, settingsOf, readCredential, reportUrl, unsubscribeOf } = options;

  /** A device belongs to an app. */
  const toDevice =
    (channel: 'ios_push' | 'droid_push' | 'live_activity') =>
    async ({ settings, address: { to, device }, message: { id, content }, leave }: Handed) => {
      const credentials = await appCredentials(channel, channelsOf(settings, device?.app), readCredential);
      return credentials && channels.send(channel, credentials, { id, to, leave, content });
    };

  /** The message names its app. */
  const toPhone =
    (channel: 'sms' | 'whats_app') =>
    async ({ ws, settings, address: { to }, message: { id, content }, leave }: Handed) => {
      const app = String(content.app_id);
      const credentials = await appCredentials(channel, channelsOf(settings, app), readCredential);
      const report = reportUrl({ ws, app, channel, message: id });
      return credentials && channels.send(channel, credentials, { id, to, report, leave, content });
    };

  const toApple = toDevice('ios_push');

  const hands: Readonly<Record<Channel, (handed: Handed) => Promise<Answer | undefined>>> = {
    async ios_push(handed) {
      const answer = await toApple(handed);
      // Its id at APNs is made of ours: kept once more it would cost a write of its own for each recipient.
      return answer?.state === 'sent' ? { state: 'sent' } : answer;
    },
    droid_push: toDevice('droid_push'),
    async web_push({ settings, address: { to, device }, message: { id, content }, leave }) {
      const keys = await appCredentials('web_push', channelsOf(settings, device?.app), readCredential);
      const allowPrivate = settings.messaging.webhook_private_hosts;
      return keys && channels.send('web_push', { ...keys, allowPrivate }, { id, to, leave, content });
    },
    async email({ ws, settings, address: { to }, message: { id, person, content }, leave }) {
      const server = await appCredentials('email', channelsOf(settings, content.app_id), readCredential);
      const headers = unsubscribeOf(ws, person);
      return server && channels.send('email', server, { id, to, leave, headers, content });
    },
    sms: toPhone('sms'),
    whats_app: toPhone('whats_app'),
    async webhook({ settings: { apps, messaging }, message: { id, content }, leave }) {
      const [reference] = apps.flatMap((app) => app.channels?.webhook?.secret ?? []);
      const credentials = {
        ...(reference && { secret: await readCredential(reference) }),
        allowPrivate: messaging.webhook_private_hosts,
      };
      return channels.send('webhook', credentials, { id, to: '', leave, content });
    },
    live_activity: toDevice('live_activity'),
    // Apps read it where it is kept.
    content_card: async () => undefined,
  };

  return async (ws, channel, address, { until, ...message }) => {
    const settings = await settingsOf(ws);
    try {
      return await hands[channel]({ ws, settings, address, message, leave: { ws, until } });
    } catch (error) {
      // A credential that can't be read: nothing has left.
      return { state: 'later', reason: (error as Error).message } satisfies Answer;
    }
  };
};
