import { barOf, clock, createProgress, type Moment, wordsOf } from './progress.ts';

const aMoment = (changes: Partial<Moment> = {}): Moment => ({
  totals: { rows: 12_000, refused: 0 },
  bytes: 500,
  size: 1000,
  elapsedMs: 10_000,
  begunWith: { rows: 2_000, bytes: 300 },
  ...changes,
});

describe('progress', () => {
  it.each([
    ['as a whole', {}, '50 %  12,000 rows  1,000 rows/s  eta 0:25'],
    [
      'with refusals',
      { totals: { rows: 12_000, refused: 3 } },
      '50 %  12,000 rows  1,000 rows/s  3 refused  eta 0:25',
    ],
    ['of standard input', { size: undefined }, '12,000 rows  1,000 rows/s'],
    ['at the end', { bytes: 1000 }, '100 %  12,000 rows  1,000 rows/s'],
    [
      'of an empty file',
      { bytes: 0, size: 0, elapsedMs: 0, totals: { rows: 0, refused: 0 }, begunWith: { rows: 0, bytes: 0 } },
      '0 %  0 rows  0 rows/s',
    ],
  ])('%s', (_, changes, words) => {
    expect(wordsOf(aMoment(changes))).toBe(words);
  });

  it.each([
    [0, '0:00'],
    [6.2, '0:07'],
    [750, '12:30'],
    [11_100, '3:05:00'],
  ])('%s s are %s', (seconds, text) => {
    expect(clock(seconds)).toBe(text);
  });

  it('is a bar that fills', () => {
    expect([0, 0.5, 1, 2].map((share) => barOf(share, 4))).toEqual(['[....]', '[##..]', '[####]', '[####]']);
  });

  it('is drawn over itself on a terminal, and a line every ten seconds elsewhere', () => {
    const run = (isTty: boolean) => {
      let said = '';
      let now = 1000;
      const write = (text: string) => {
        said += text;
      };
      const progress = createProgress({ write, isTty, columns: 80, now: () => now });
      for (; now < 22_000; now += 50) progress.show(aMoment());
      progress.end();
      return said;
    };
    expect(run(true).split('\r').length).toBeGreaterThan(100);
    expect(run(true)).not.toContain('\n');
    expect(run(false).split('\n')).toHaveLength(3);
  });
});
