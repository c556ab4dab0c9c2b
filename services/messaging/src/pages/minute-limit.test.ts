import { createMinuteLimit } from './bounds.ts';

it('the limit of more networks than are counted apart is one for all of them', () => {
  const limit = createMinuteLimit({ perMinute: 2, mostKeys: 10, now: () => 60_000_000 });
  for (let n = 0; n < 10; n++) limit(`10.0.0.${n}`);
  const others = Array.from({ length: 500 }, (_, n) => limit(`10.1.${n >> 8}.${n & 255}`));
  expect(others.filter(Boolean)).toHaveLength(100);
  expect(limit('10.0.0.1')).toBe(true);
});
