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

  it.each<[string, Partial<Cost>]>([
    ['cpu', { cpuMs: { ingress: 1, track: 251 } }],
    ['block', { blockMs: { track: 101 } }],
    ['memory', { peakMb: { ingress: 401 } }],
    ['kept', { keptBytes: 4_100 }],
    ['death', { died: ['scim'] }],
    ['dead letter', { deadLetters: 1 }],
    ['rest', { isSettled: false }],
  ])('are broken: %s', (bar, cost) => expect(bars(cost)).toEqual([bar]));

  it('allow a refusal 1 ms and 40 ns a byte, of all processes together', () => {
    const refused = { isTakenIn: false, status: 400, bytes: 1_000_000 };
    expect(bars({ ...refused, cpuMs: { ingress: 30, redis: 10.9 } })).toEqual([]);
    expect(bars({ ...refused, cpuMs: { ingress: 30, redis: 11.1 } })).toEqual(['refusal']);
  });

  it('hold a message to what others notice of it, and not to its own work', () => {
    const waitedMs = { pages: 10_000, sender: 10_000 };
    expect(bars({ waitedMs, cpuMs: { mongod: 9_000, sender: 9_000 }, blockMs: { sender: 999 } })).toEqual([]);
    expect(bars({ waitedMs, isSettled: false })).toEqual([]);
    expect(bars({ waitedMs: { pages: 10_001 } })).toEqual(['others']);
    expect(bars({ waitedMs: { sender: Number.POSITIVE_INFINITY } })).toEqual(['others']);
    expect(bars({ waitedMs, blockMs: { sender: 1_001 } })).toEqual(['block']);
    expect(bars({ waitedMs, peakMb: { sender: 401 } })).toEqual(['memory']);
  });

  it('hold a page to the block of one request, beside others', () => {
    const waitedMs = { pages: 10 };
    expect(bars({ waitedMs, blockMs: { pages: 100, sender: 999 } })).toEqual([]);
    expect(bars({ waitedMs, blockMs: { pages: 101 } })).toEqual(['block']);
    expect(bars({ waitedMs, blockMs: { pages: 999 }, senders: 64 })).toEqual([]);
  });

  it('allow an email its person and one copy', () => {
    const least = { ...usual, cpuMs: {}, blockMs: {}, peakMb: {}, waitedMs: {} };
    expect(worstShare(costOf({ ...least, recipients: 2 }))).toBe(0);
    expect(bars({ ...least, recipients: 3 })).toEqual(['recipients']);
  });

  it('hold one request to its block, not many at once', () => {
    expect(bars({ blockMs: { ingress: 900 }, senders: 150 })).toEqual([]);
  });

  it('leave the memory of Redis and MongoDB to limits of their own', () => {
    expect(bars({ peakMb: { mongod: 900 } })).toEqual([]);
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
