import {
  parsing,
  parsingLimit,
  pointsOfLoaded,
  pointsOfPerson,
  pointsOfTemplates,
  pointsOfVisits,
  work,
} from '@roster/contract';
import { priceOf, priceOfReading, type Workload, weights } from './price.ts';

const track = { queue: 'track' } as const;
const nothing: Workload = { bytes: 0, shapes: 0, texts: 0, containers: 0, values: 0, entries: 0 };
const usual: Workload = { bytes: 12_000, shapes: 12, texts: 0, containers: 102, values: 600, entries: 50 };
const largest: Workload = {
  bytes: 6 * 1024 * 1024,
  entries: 50,
  shapes: parsingLimit.most / parsing.shape.us,
  texts: parsingLimit.most / parsing.text.us,
  containers: parsingLimit.most / parsing.container.us,
  values: parsingLimit.most / parsing.value.us,
};

describe('the price of a request', () => {
  it.each([
    ['a request without a body', nothing, 1],
    ['one entry of 1 KB', { bytes: 1024, shapes: 25, texts: 0, containers: 5, values: 30, entries: 1 }, 1],
    ['50 events of 240 bytes', usual, 14],
    [
      '1,000 entries of 200 bytes',
      { bytes: 200_000, shapes: 12, texts: 0, containers: 2000, values: 6000, entries: 1000 },
      243,
    ],
  ])('%s', (_title, workload, price) => {
    expect(priceOf(track, workload)).toBe(price);
  });

  it('is higher for work that is done one person at a time', () => {
    const one = { ...nothing, entries: 10 };
    expect(priceOf({ queue: 'identity' }, one)).toBeGreaterThan(priceOf(track, one));
  });

  it('grows with each thing that is counted', () => {
    for (const part of ['bytes', 'shapes', 'texts', 'containers', 'values', 'entries'] as const)
      expect(priceOf(track, { ...nothing, [part]: 1_000_000 })).toBeGreaterThan(100);
    expect(weights.kilobyte).toBeGreaterThan(0);
  });

  it('can be paid by every workspace with the usual limit, for the most that a request may be', () => {
    expect(priceOf(track, largest)).toBeLessThan(work.requests / 4);
    expect(priceOfReading(largest.bytes)).toBeLessThanOrEqual(priceOf(track, largest));
  });

  it('lets the highest permitted rate of usual requests pass', () => {
    expect(priceOf(track, usual) * 3000).toBeLessThanOrEqual(work.requests);
  });

  it.each([
    [1024 * 1024, 0],
    [2 * 1024 * 1024, 128],
    [100 * 1024 * 1024, 12_672],
  ])('%i bytes of profiles loaded in a second cost %i points afterwards', (bytes, points) => {
    expect(pointsOfLoaded(bytes)).toBe(points);
  });

  it('counts filters and bytes of people, and patterns', () => {
    expect(1000 * pointsOfPerson(1024, 1)).toBeCloseTo(66.7, 0);
    expect(1000 * pointsOfPerson(1024, 99)).toBeCloseTo(2_517, -1);
    expect([0, 1, 8_000_000].map(pointsOfVisits)).toEqual([0, 1, 4_000]);
  });

  it('counts the CPU time of templates as it was', () => {
    expect([0, 99, 80_000].map(pointsOfTemplates)).toEqual([0, 0, 800]);
  });
});
