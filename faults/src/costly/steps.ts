// What can be there before a request: people and dashboard users of any size, made by requests as any caller makes them.
import type { Step } from './genome.ts';
import { objectWith, type Term, termOf, text } from './term.ts';

const person = (name: string, attribute: string): Term => ({
  object: { external_id: text(`${name}{n}-{i}`), email: text(`${name}{n}-{i}@example.com`) },
  more: [
    {
      name: `${attribute}{s}-{i}`,
      value: { object: {}, more: [{ name: 'm{i}', value: text('x', 250), count: 340 }] },
      count: 4,
    },
  ],
});

/** Fifteen people; each grows by 360 KB with each repetition. */
export const bigPeople = (times: number, name = 'p', attribute = 'big'): Step => ({
  operation: 'users.track',
  times,
  body: objectWith({ attributes: { list: person(name, attribute), count: 15 } }),
});

/** A thousand people with each repetition, all with one email. */
export const sharers = (times: number, alike: object = { email: 'p{n}-0@example.com' }): Step => ({
  operation: 'users.track.bulk',
  times,
  body: objectWith({
    attributes: { list: termOf({ external_id: 'p{n}-{s}-{i}', ...alike }), count: 1_000 },
  }),
});

/** Dashboard users with so many emails each. */
export const bigUsers = (times: number, emails: number): Step => ({
  operation: 'scim.users.create',
  times,
  body: objectWith({
    schemas: termOf(['urn:ietf:params:scim:schemas:core:2.0:User']),
    userName: 'u{n}-{s}@example.com',
    name: termOf({ givenName: 'Ada', familyName: 'Lovelace' }),
    emails: { list: termOf({ value: 'u{n}-{s}-{i}@example.com', type: 'work' }), count: emails },
  }),
});
