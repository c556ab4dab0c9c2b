/** What is true of all messages of a channel. */
import type { Channel } from '@roster/store';

interface Kind {
  /** Where people refuse its messages; absent where nobody asks them. */
  consent?: 'push' | 'email';
  /** What a message needs of a person; absent where it needs nothing. */
  needs?: 'devices' | 'email';
  /** It waits until quiet hours are over. */
  disturbs: boolean;
}

export const kindOf: Readonly<Record<Channel, Kind>> = {
  ios_push: { consent: 'push', needs: 'devices', disturbs: true },
  droid_push: { consent: 'push', needs: 'devices', disturbs: true },
  web_push: { consent: 'push', needs: 'devices', disturbs: true },
  email: { consent: 'email', needs: 'email', disturbs: true },
  webhook: { disturbs: false },
  content_card: { disturbs: false },
  // The start of one, which is about this moment.
  live_activity: { consent: 'push', needs: 'devices', disturbs: false },
};
