import { isBefore, later } from './cursor.ts';

const at = (updatedAt: string, tie: string | null = '["a"]') => ({ updatedAt, tie });

it.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.5Z'],
  ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.1234561Z'],
  ['2026-01-31T12:00:00.9Z', '2026-01-31T12:00:01Z'],
])('%s is before %s', (a, b) => {
  expect([isBefore(at(a), at(b)), isBefore(at(b), at(a))]).toEqual([true, false]);
});

it('the beginning of a moment is before its rows', () => {
  const moment = '2026-01-31T12:00:00Z';
  expect(isBefore(at(moment, null), at(moment))).toBe(true);
  expect(isBefore(at(moment), at(moment, null))).toBe(false);
  expect(isBefore(at(moment), at('2026-01-31T12:00:00.000Z'))).toBe(false);
});

it('the later one of two is the second when nobody knows', () => {
  const [a, b] = [at('2026-01-31T12:00:00Z', '["a"]'), at('2026-01-31T12:00:00Z', '["b"]')];
  expect([later(a, b), later(b, a), later(undefined, a), later(a, undefined)]).toEqual([b, a, a, a]);
});
