/** Whether a person agreed to get a message: by what was said last. */
import type { Channel } from '@roster/store';
import { kindOf } from './channel-kinds.ts';
import type { Person } from './people.ts';

export type WantedState = 'opted_in' | 'subscribed' | 'all';

/** Whether people can refuse messages of this channel. */
export const asksConsent = (channel: Channel): boolean => kindOf[channel].consent !== undefined;

/** Emails and pushes go to everybody who did not refuse them, unless the message is only for those who asked for it. */
export const hasAgreed = (
  channel: Channel,
  { states }: Pick<Person, 'states'>,
  wanted: WantedState,
): boolean => {
  const { consent } = kindOf[channel];
  if (consent === undefined || wanted === 'all') return true;
  const state = states.get(consent);
  return wanted === 'opted_in' ? state === 'opted_in' : state !== 'unsubscribed';
};
