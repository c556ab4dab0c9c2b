import { createMinuteLimit } from './bounds.ts';

let time = 0;
const limitOf = (perMinute: number, mostKeys?: number) =>
  createMinuteLimit({ perMinute, now: () => time, ...(mostKeys !== undefined && { mostKeys }) });

const times = (count: number, ask: (n: number) => boolean): number =>
  Array.from({ length: count }, (_, n) => ask(n)).filter(Boolean).length;

beforeEach(() => {
  time = 60_000 * 1000;
});

describe('the limit of a network', () => {
  it('is its own, and new with every minute', () => {
    const limit = limitOf(3);
    expect(times(5, () => limit('10.0.0.1'))).toBe(3);
    expect(times(5, () => limit('10.0.0.2'))).toBe(3);
    time += 60_000;
    expect(limit('10.0.0.1')).toBe(true);
  });

  it('of more networks than are counted apart is one for all of them', () => {
    const limit = limitOf(2, 10);
    for (let n = 0; n < 10; n++) limit(`10.0.0.${n}`);
    expect(times(500, (n) => limit(`10.1.${n >> 8}.${n & 255}`))).toBe(100);
    expect(limit('10.0.0.1')).toBe(true);
  });
});
