import { randomBucket, serviceIdOf } from './service-id.ts';

const at = 1_763_000_000_000_000;

describe('a service id', () => {
  it('has 24 hexadecimal digits and is the same each time', () => {
    expect(serviceIdOf(at, 7, 'r1')).toMatch(/^[0-9a-f]{24}$/);
    expect(serviceIdOf(at, 7, 'r1')).toBe(serviceIdOf(at, 7, 'r1'));
  });

  it('differs by stamp, position and request', () => {
    const ids = [
      serviceIdOf(at, 7, 'r1'),
      serviceIdOf(at + 1, 7, 'r1'),
      serviceIdOf(at, 8, 'r1'),
      serviceIdOf(at, 7, 'r2'),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});

describe('the random bucket', () => {
  it('spreads people evenly over 0 to 9999', () => {
    const tenths = new Array<number>(10).fill(0);
    for (let i = 0; i < 20_000; i++) {
      const bucket = randomBucket(serviceIdOf(at + i * 137, i % 50, `r${i}`));
      expect(bucket).toBeGreaterThanOrEqual(0);
      expect(bucket).toBeLessThan(10_000);
      tenths[Math.floor(bucket / 1000)] = (tenths[Math.floor(bucket / 1000)] ?? 0) + 1;
    }
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });
});
