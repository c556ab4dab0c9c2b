/** Whether a person agreed to get a message: by what was said last. */
import { groupKey } from '@roster/profile';
import type { Channel } from '@roster/store';
import { isPush, isToPhone } from './channel-kinds.ts';
import type { Person } from './people.ts';

export type WantedState = 'opted_in' | 'subscribed' | 'all';

const registerOf = (channel: Channel): 'push' | 'email' | undefined => {
  if (isPush(channel)) return 'push';
  return channel === 'email' ? 'email' : undefined;
};

/** Whether people can refuse messages of this channel. */
export const asksConsent = (channel: Channel): boolean =>
  isToPhone(channel) || registerOf(channel) !== undefined;

interface Asked {
  channel: Channel;
  wantedState: WantedState;
  /** Of a text message. */
  group?: string;
}

/** Emails and pushes go to everybody who did not refuse them, unless the message is only for those who asked for it. Text messages go to who subscribed to their group, whatever is wanted. */
export const hasAgreed = (
  { channel, wantedState, group }: Asked,
  { states }: Pick<Person, 'states'>,
): boolean => {
  if (isToPhone(channel)) return group !== undefined && states.get(groupKey(group, 'sms')) === 'subscribed';
  const register = registerOf(channel);
  if (register === undefined || wantedState === 'all') return true;
  const state = states.get(register);
  return wantedState === 'opted_in' ? state === 'opted_in' : state !== 'unsubscribed';
};
