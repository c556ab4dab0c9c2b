import { openapi } from './openapi.ts';
import { timesOfNow } from './times-of-now.ts';

const now = new Date('2030-05-06T07:08:09.123Z');

it.each([
  ['the last event is of this minute', '2026-01-31T12:01:00Z', '2030-05-06T07:08:00Z'],
  ['another one stays a minute before it', '2026-01-31T12:00:00Z', '2030-05-06T07:07:00Z'],
  ['parts of seconds stay', '2026-01-31T12:00:09.412Z', '2030-05-06T07:07:09.412Z'],
  ['a date of a person stays', '2026-01-31', '2026-01-31'],
  ['a schedule stays far ahead', '2036-12-31T09:00:00Z', '2036-12-31T09:00:00Z'],
])('%s', (_what, before, after) => {
  expect(timesOfNow(`{"time":"${before}"}`, now)).toBe(`{"time":"${after}"}`);
});

it('finds every event and purchase of the examples within the 90 days that an export shows', () => {
  const { paths } = JSON.parse(timesOfNow(JSON.stringify(openapi()), now));
  const asked = paths['/users/track'].post.requestBody.content['application/json'].examples;
  const times = JSON.stringify(asked).match(/"time":"[^"]+"/g) ?? [];
  expect(times.length).toBeGreaterThan(0);
  for (const time of times) expect(time).toMatch(/"2030-05-06T07:0[78]/);
});
