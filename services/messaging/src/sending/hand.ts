/** Hands a message to its provider, with the credentials of its app. Without credentials nothing leaves. */
import {
  type Answer,
  appCredentials,
  type Channels,
  type PhoneCall,
  type ReadCredential,
} from '@roster/channels';
import type { Submitting } from '../pages/submission.ts';
import type { Hand } from './send-one.ts';
import type { SettingsOfSender } from './settings.ts';

export interface HandOptions {
  channels: Pick<Channels, 'send'>;
  settingsOf: SettingsOfSender;
  readCredential: ReadCredential;
  /** Where a provider of text messages tells what became of one. */
  reportUrl(call: PhoneCall): string;
  /** A provider of text messages says that the person wants no more of them. */
  onOptedOut(message: { ws: string; phone: string; id: string }): Promise<Submitting>;
  /** The headers by which one click unsubscribes a person from all emails. */
  unsubscribeOf(ws: string, person: string): Record<string, string>;
}

export const createHand =
  ({ channels, settingsOf, readCredential, reportUrl, unsubscribeOf, onOptedOut }: HandOptions): Hand =>
  async (ws, channel, { to, device }, { id, person, content, until }) => {
    // Apps read it where it is kept.
    if (channel === 'content_card') return undefined;
    const settings = await settingsOf(ws);
    // A device belongs to an app; other messages name theirs.
    const app = device?.app ?? content.app_id;
    try {
      const credentials = await appCredentials(channel, settings, app, readCredential);
      const headers = channel === 'email' && unsubscribeOf(ws, person);
      if (!credentials) return headers ? { state: 'unsent', headers } : undefined;
      const isText = channel === 'sms' || channel === 'whats_app';
      const answer = await channels.send(channel, credentials, {
        id,
        to,
        leave: { ws, until },
        content,
        ...(isText && { report: reportUrl({ ws, app: String(app), channel, message: id }) }),
        ...(headers && { headers }),
      });
      if (answer.state === 'refused' && answer.isOptedOut) {
        const said = await onOptedOut({ ws, phone: to, id });
        // The provider says so again then.
        if (said === 'away') return { state: 'later', reason: answer.reason };
      }
      // The id of a push at APNs is made of ours: kept once more it would cost a write of its own for each recipient.
      return channel === 'ios_push' && answer.state === 'sent' ? { state: 'sent' } : answer;
    } catch (error) {
      // A credential that can't be read: nothing has left.
      const words = (error as Error).message;
      return { state: 'later', reason: 'credentials_unreadable', words } satisfies Answer;
    }
  };
