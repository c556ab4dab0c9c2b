import { nothingYet, tallyWords } from './export/tally.ts';
import { barOf, createProgress, rowWords } from './progress.ts';
import { clock } from './shown.ts';

const worldOf = (isTty: boolean) => {
  const world = { text: '', ms: 1_000_000 };
  const write = (text: string) => {
    world.text += text;
  };
  return { world, progress: createProgress({ write, isTty, columns: 120, now: () => world.ms }) };
};

/** A run that goes on at 300 of 1,000 bytes and 2,000 rows, ten seconds later. */
const aMoment = { bytes: 500, size: 1000 as number | undefined, refused: 0, rows: 12_000, ms: 10_000 };
const wordsOf = (changes: Partial<typeof aMoment>, begunWith = { rows: 2_000, bytes: 300 }) => {
  const { bytes, size, rows, refused, ms } = { ...aMoment, ...changes };
  const { world, progress } = worldOf(true);
  const shareOf = (some: number) => (size === undefined ? undefined : some / Math.max(size, 1));
  progress.show(shareOf(begunWith.bytes), rowWords({ rows: begunWith.rows, refused: 0 }, begunWith.rows));
  [world.text, world.ms] = ['', world.ms + Math.max(ms, 100)];
  progress.show(shareOf(bytes), rowWords({ rows, refused }, begunWith.rows));
  return world.text.slice(world.text.indexOf('K') + 1).replace(/^\[[#.]+\] /, '');
};

describe('progress', () => {
  it.each([
    ['as a whole', {}, '50 %  12,000 rows  1,000 rows/s  eta 0:25'],
    ['with refusals', { refused: 3 }, '50 %  12,000 rows  1,000 rows/s  3 refused  eta 0:25'],
    ['of standard input', { size: undefined }, '12,000 rows  1,000 rows/s'],
    ['at the end', { bytes: 1000 }, '100 %  12,000 rows  1,000 rows/s'],
  ])('%s', (_, changes, words) => {
    expect(wordsOf(changes)).toBe(words);
  });

  it('of an empty file', () => {
    const nothing = { rows: 0, bytes: 0 };
    expect(wordsOf({ ...nothing, size: 0, ms: 0 }, nothing)).toBe('0 %  0 rows  0 rows/s');
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
      const { world, progress } = worldOf(isTty);
      for (let n = 0; n < 420; n++, world.ms += 50) progress.show(0.5, rowWords({ rows: 1, refused: 0 }));
      progress.end();
      return world.text;
    };
    expect(run(true).split('\r').length).toBeGreaterThan(100);
    expect(run(true)).not.toContain('\n');
    expect(run(false).split('\n')).toHaveLength(3);
  });

  describe('of an export', () => {
    const people = (count: number) => () =>
      tallyWords({ ...nothingYet(), people: count, events: 1500, purchases: 500 });

    it('has people and occurrences, and the time that is left from where it went on', () => {
      const { world, progress } = worldOf(true);
      progress.show(0.5, people(5000));
      world.ms += 10_000;
      world.text = '';
      progress.show(0.75, people(7500));
      const words = '75 %  7,500 people  2,000 occurrences  eta 0:10';
      expect(world.text).toBe(`\r\u001b[K[##################......] ${words}`);
      progress.end();
      expect(world.text.endsWith('\r\u001b[K')).toBe(true);
    });

    it('has no share where the people could not be counted, and notes between its lines', () => {
      const { world, progress } = worldOf(false);
      progress.show(undefined, people(1));
      world.ms += 10_000;
      progress.show(undefined, people(2));
      progress.note('a note');
      progress.end();
      expect(world.text).toBe('2 people  2,000 occurrences\na note\n');
    });
  });
});
