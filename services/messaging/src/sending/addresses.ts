/** Where a message goes: the email of a person, or nowhere in particular. */
import type { Channel } from '@roster/store';
import type { Person } from './people.ts';

/** `undefined`: it can't reach this person. */
export const addressOf = (channel: Channel, { profile }: Pick<Person, 'profile'>): string | undefined => {
  if (channel !== 'email') return '';
  const email = profile.fields.email?.v;
  return typeof email === 'string' && email !== '' ? email : undefined;
};
