import { aboutReason, publicReason, sendReason, sendReasons } from './send-reasons.ts';

it.each([
  [401, 'provider_refused (401)'],
  [undefined, 'provider_refused'],
  [0, 'provider_refused'],
  [Number.NaN, 'provider_refused'],
  [12_345_678, 'provider_refused'],
  [1.5, 'provider_refused'],
])('a reason has a number of at most six digits: %p', (number, reason) => {
  expect(sendReason('provider_refused', number)).toBe(reason);
});

it.each(['busy', 'provider_refused (401)', 'given up after 6 tries: no_answer', 'planned', 'quiet_hours'])(
  '%s is shown to callers',
  (reason) => {
    expect(publicReason(reason)).toBe(reason);
  },
);

it.each([
  'the provider answered 401: the key a1b2c3d4 is wrong',
  'a1b2c3d4',
  'toString',
  'provider_refused (401): a1b2c3d4',
  'provider_refused (1234567)',
  'given up after 6 tries: Invalid login: 535 hunter2',
])('words that an earlier version has written are not: %s', (reason) => {
  expect(publicReason(reason)).toBe('not_told');
});

it('each code says what it means, and what to do', () => {
  for (const [code, { when, remedy }] of Object.entries(sendReasons))
    expect(aboutReason(`given up after 6 tries: ${code} (503)`)).toBe(`${when} ${remedy}`);
  expect(aboutReason('unsubscribed')).toBeUndefined();
});
