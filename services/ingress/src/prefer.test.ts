import { idempotencyKeyIn, preferredWaitMs } from './prefer.ts';

describe('Prefer: wait', () => {
  it.each([
    [undefined, 0],
    ['wait=5', 5000],
    ['respond-async, wait=2', 2000],
    ['WAIT = "3"', 3000],
    ['wait=100000', 30_000],
    ['await=5', 0],
    ['wait=soon', 0],
  ])('reads %j as %d ms', (prefer, ms) => {
    expect(preferredWaitMs(prefer === undefined ? {} : { prefer })).toBe(ms);
  });
});

describe('Idempotency-Key', () => {
  it('takes printable ASCII up to 255 characters', () => {
    expect(idempotencyKeyIn({ 'idempotency-key': 'a b-c' })).toBe('a b-c');
    expect(idempotencyKeyIn({})).toBeUndefined();
  });
  it.each([[''], ['x'.repeat(256)], ['ümlaut']])('refuses %j', (key) => {
    expect(() => idempotencyKeyIn({ 'idempotency-key': key })).toThrow('Idempotency-Key');
  });
});
