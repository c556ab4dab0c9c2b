import { brokenBars, type Cost, leastOf, worstShare } from './judge.ts';
import { aCost as costOf } from './test-cost.ts';

const usual = {
  bytes: 1_000,
  cpuMs: { ingress: 1, track: 3 },
  blockMs: { ingress: 2 },
  peakMb: { ingress: 130 },
};

const aCost = (cost: Partial<Cost> = {}): Cost => costOf({ ...usual, ...cost });

const bars = (cost: Partial<Cost>): string[] => brokenBars(aCost(cost)).map(({ bar }) => bar);

describe('the bars', () => {
  it('are kept by a usual request', () => expect(bars({})).toEqual([]));

  const refused = { isTakenIn: false, status: 400, bytes: 1_000_000 };
  const waitedMs = { pages: 10_000, sender: 10_000 };
  const soon = { waitedMs: { pages: 10 } };

  it.each<[why: string, Partial<Cost>, broken?: string]>([
    ['computes for long', { cpuMs: { ingress: 1, track: 251 } }, 'cpu'],
    ['blocks', { blockMs: { track: 101 } }, 'block'],
    ['takes memory', { peakMb: { ingress: 401 } }, 'memory'],
    ['is kept', { keptBytes: 4_100 }, 'kept'],
    ['ends a process', { died: ['scim'] }, 'death'],
    ['is given up', { deadLetters: 1 }, 'dead letter'],
    ['has no end', { isSettled: false }, 'rest'],
    ['is refused for 1 ms and 40 ns a byte', { ...refused, cpuMs: { ingress: 30, redis: 10.9 } }],
    ['is refused for more', { ...refused, cpuMs: { ingress: 30, redis: 11.1 } }, 'refusal'],
    [
      'is a message with much work',
      { waitedMs, cpuMs: { mongod: 9_000, sender: 9_000 }, blockMs: { sender: 999 } },
    ],
    ['is a message without an end', { waitedMs, isSettled: false }],
    ['is a message that others wait for', { waitedMs: { pages: 10_001 } }, 'others'],
    ['is a message that keeps others out', { waitedMs: { sender: Number.POSITIVE_INFINITY } }, 'others'],
    ['is a message that blocks', { waitedMs, blockMs: { sender: 1_001 } }, 'block'],
    ['is a message that takes memory', { waitedMs, peakMb: { sender: 401 } }, 'memory'],
    ['is a page beside others', { ...soon, blockMs: { pages: 100, sender: 999 } }],
    ['is a page that blocks', { ...soon, blockMs: { pages: 101 } }, 'block'],
    ['is many pages at once', { ...soon, blockMs: { pages: 999 }, senders: 64 }],
    ['is many that block together', { blockMs: { ingress: 900 }, senders: 150 }],
    ['fills the memory of a server, which has a limit of its own', { peakMb: { mongod: 900 } }],
    ['is an email with two copies', { waitedMs: {}, recipients: 3 }, 'recipients'],
  ])('a request that %s', (_, cost, broken = '') => expect(bars(cost).join()).toBe(broken));

  it('are not touched by an email to its person and one copy', () => {
    const least = { ...usual, cpuMs: {}, blockMs: {}, peakMb: {}, waitedMs: {} };
    expect(worstShare(costOf({ ...least, recipients: 2 }))).toBe(0);
  });

  it('hold the least of several measurements, and every loss', () => {
    const noisy = aCost({ cpuMs: { track: 900 }, keptBytes: 9_000 });
    const quiet = aCost({ cpuMs: { track: 90 }, died: ['track'] });
    const least = leastOf([noisy, quiet]);
    expect([least.cpuMs, least.keptBytes, least.died]).toEqual([{ track: 90 }, 0, ['track']]);
  });

  it('hold the most memory of several measurements: the first one takes it', () => {
    const least = leastOf([aCost({ peakMb: { ingress: 653 } }), aCost({ peakMb: {} })]);
    expect(brokenBars(least).map(({ bar }) => bar)).toEqual(['memory']);
  });

  it('are told as shares: half of a bar is 0.5', () => {
    expect(worstShare(aCost({ blockMs: { track: 50 }, cpuMs: {}, peakMb: {} }))).toBe(0.5);
  });
});
