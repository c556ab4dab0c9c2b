import { SourceError } from '@roster/sources';
import { reasonOf } from './reason.ts';

it('callers read what a source says in our words', () => {
  const error = new SourceError('host_not_found', 'the host of db.example.com:5432 is not found');
  expect(reasonOf(error)).toBe('the host of db.example.com:5432 is not found');
});

it.each([
  ['an error of a driver', new Error('connect to mysql://shop:hunter2@db.example.com failed')],
  ['what is no error', 'password hunter2 is wrong'],
])('and nothing of %s, which may repeat a password', (_, error) => {
  const reason = reasonOf(error);
  expect(reason).toBe('it failed inside Roster: see the log of the integrations process');
});
