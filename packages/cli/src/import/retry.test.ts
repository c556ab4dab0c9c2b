import { isPassing, pauseMs, type Signs } from './retry.ts';

const now = Date.parse('2026-01-31T12:00:00Z');
const pause = (signs: Signs | undefined, attempt = 0, chance = 0) => pauseMs(signs, attempt, { now, chance });

describe('a request', () => {
  it.each([[undefined], [408], [429], [500], [502], [503], [504]])('is sent again after %s', (status) => {
    expect(isPassing(status === undefined ? undefined : { status })).toBe(true);
  });
  it.each([[201], [400], [401], [403], [404], [413], [422]])('is not sent again after %s', (status) => {
    expect(isPassing({ status })).toBe(false);
  });
});

describe('the pause', () => {
  it.each<[string, Signs, number]>([
    ['as many seconds as asked for', { status: 429, retryAfter: '3' }, 3000],
    ['until a date', { status: 503, retryAfter: 'Sat, 31 Jan 2026 12:00:05 GMT' }, 5000],
    ['until the window opens', { status: 429, rateLimitReset: String(now / 1000 + 7) }, 7000],
    [
      'what Retry-After says when both are there',
      { status: 429, retryAfter: '2', rateLimitReset: String(now / 1000 + 7) },
      2000,
    ],
    ['none when the window has opened', { status: 429, rateLimitReset: String(now / 1000 - 7) }, 0],
    ['two hours at most', { status: 429, retryAfter: '99999999' }, 7_200_000],
    [
      'a short one where nothing useful is said',
      { status: 429, retryAfter: 'soon', rateLimitReset: '' },
      100,
    ],
    ['a short one for a 503, whose window says nothing', { status: 503, rateLimitReset: '9999999999' }, 100],
  ])('is %s', (_, signs, ms) => {
    expect(pause(signs)).toBe(ms);
  });

  it('grows without an answer, up to 15 seconds', () => {
    expect([0, 1, 2, 3, 10, 1000].map((attempt) => pause(undefined, attempt))).toEqual([
      100, 200, 400, 800, 7500, 7500,
    ]);
    expect(pause(undefined, 10, 1)).toBe(15_000);
  });
});
