/** Whether a person agreed to get a message: by what was said last. */
import { groupKey } from '@roster/profile';
import type { Channel } from '@roster/store';
import { kindOf } from './channel-kinds.ts';
import type { Recipient } from './people.ts';

export type WantedState = 'opted_in' | 'subscribed' | 'all';

/** Whether people can refuse messages of this channel. */
export const asksConsent = (channel: Channel): boolean => kindOf[channel].consent !== undefined;

interface ConsentQuestion {
  channel: Channel;
  wantedState: WantedState;
  /** Of a text message. */
  group?: string;
}

/**
 * Emails and pushes go to everybody who did not refuse them, unless the message is only for those who asked for it. Text messages go to who
 * subscribed to their group, whatever is wanted.
 */
export const hasAgreed = (
  { channel, wantedState, group }: ConsentQuestion,
  { states }: Pick<Recipient, 'states'>,
): boolean => {
  const { consent } = kindOf[channel];
  if (consent === 'group') return group !== undefined && states.get(groupKey(group, 'sms')) === 'subscribed';
  if (consent === undefined || wantedState === 'all') return true;
  const state = states.get(consent);
  return wantedState === 'opted_in' ? state === 'opted_in' : state !== 'unsubscribed';
};
