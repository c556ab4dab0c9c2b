// What can be there before a request: people and dashboard users of any size, made by requests as any caller makes them.
import type { Step } from './genome.ts';
import { text } from './sprout.ts';
import { type Term, termOf } from './term.ts';

const person = (size: number): Term => ({
  object: { external_id: text('p{n}-{i}'), email: text('p{n}-{i}@example.com') },
  more: [
    {
      name: 'big{s}-{i}',
      value: { object: {}, more: [{ name: 'm{i}', value: { text: 'x', times: 250 }, count: 340 }] },
      count: size,
    },
  ],
});

/** Fifteen people; each grows by 360 KB with each repetition. */
export const bigPeople = (times: number): Step => ({
  operation: 'users.track',
  times,
  body: { object: { attributes: { list: person(4), count: 15 } } },
});

/** A thousand people with each repetition, all with one email. */
export const sharers = (times: number): Step => ({
  operation: 'users.track.bulk',
  times,
  body: {
    object: {
      attributes: {
        list: { object: { external_id: text('p{n}-{s}-{i}'), email: text('p{n}-0@example.com') } },
        count: 1_000,
      },
    },
  },
});

/** Dashboard users with so many emails each. */
export const bigUsers = (times: number, emails: number): Step => ({
  operation: 'scim.users.create',
  times,
  body: {
    object: {
      schemas: termOf(['urn:ietf:params:scim:schemas:core:2.0:User']),
      userName: text('u{n}-{s}@example.com'),
      name: termOf({ givenName: 'Ada', familyName: 'Lovelace' }),
      emails: {
        list: { object: { value: text('u{n}-{s}-{i}@example.com'), type: text('work') } },
        count: emails,
      },
    },
  },
});
