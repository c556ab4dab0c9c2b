/** What is true of all messages of a channel. */
import type { Channel } from '@roster/store';

interface ChannelKind {
  /** What people refuse its messages by: a state of theirs, or that of the group of the message; absent where nobody asks them. */
  consent?: 'push' | 'email' | 'group';
  /** What a message needs of a person; absent where it needs nothing. */
  needs?: 'devices' | 'email' | 'phone';
  /** It waits until quiet hours are over. */
  disturbs: boolean;
}

const push: ChannelKind = { consent: 'push', needs: 'devices', disturbs: true };
const toPhone: ChannelKind = { consent: 'group', needs: 'phone', disturbs: true };

export const kindOf: Readonly<Record<Channel, ChannelKind>> = {
  ios_push: push,
  droid_push: push,
  web_push: push,
  email: { consent: 'email', needs: 'email', disturbs: true },
  sms: toPhone,
  whats_app: toPhone,
  webhook: { disturbs: false },
  content_card: { disturbs: false },
  // The start of one, which is about this moment.
  live_activity: { ...push, disturbs: false },
};
