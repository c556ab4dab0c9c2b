import fc from 'fast-check';
import type { Found } from '../place.ts';
import { compare } from './kept.ts';
import { createSort, type SortBounds } from './sort.ts';

const found = (seconds: number, tie: string | null, words = ''): Found => ({
  moment: `2026-01-31T10:00:${String(seconds).padStart(2, '0')}.000000000Z`,
  tie,
  bytes: 100,
  row: { id: tie, words, huge: 9_007_199_254_740_993n, ['__proto__']: 'own', list: [1, null, { a: 'ü' }] },
});

/** All rows, over as many passes as it takes. */
const sortedBy = async (rows: readonly Found[], bounds: SortBounds) => {
  const all: Found[] = [];
  let passes = 0;
  for (let hasMore = true; hasMore; passes++) {
    const sort = createSort(bounds);
    const last = all.at(-1);
    for (const one of rows) if (!last || compare(one, last) > 0) await sort.add(one);
    for await (const chunk of sort.rows()) all.push(...chunk);
    hasMore = sort.hasMore();
    await sort.close();
  }
  return { all, passes };
};

const anyRows = fc.array(fc.tuple(fc.nat(9), fc.option(fc.constantFrom('a', 'b', 'c', 'd'))), {
  maxLength: 60,
});

it.each([
  ['in memory', { sortMemoryBytes: 1e6, sortDiskBytes: 1e6, mergeBytes: 1e6 }],
  ['on disk', { sortMemoryBytes: 1_000, sortDiskBytes: 1e6, mergeBytes: 1e6 }],
  ['on disk, in several passes', { sortMemoryBytes: 1_000, sortDiskBytes: 6_000, mergeBytes: 1e6 }],
])('rows are sorted %s, and none is lost, changed or there twice', async (_, bounds) => {
  await fc.assert(
    fc.asyncProperty(anyRows, async (pairs) => {
      const rows = pairs.map(([seconds, tie], at) => found(seconds, tie, String(at)));
      const { all } = await sortedBy(rows, bounds);
      expect(all.map(({ row }) => row?.words).sort()).toEqual(rows.map(({ row }) => row?.words).sort());
      expect(all).toEqual([...all].sort(compare));
      expect(new Set(all)).toEqual(new Set(rows));
    }),
    { numRuns: 40 },
  );
});

it('a pass takes half of what fits on disk, at least', async () => {
  const rows = Array.from({ length: 400 }, (_, at) => found(at % 60, `tie ${(at * 7) % 400}`));
  const { all, passes } = await sortedBy(rows, {
    sortMemoryBytes: 3_000,
    sortDiskBytes: 20_000,
    mergeBytes: 1e6,
  });
  expect(all).toHaveLength(400);
  expect(passes).toBeGreaterThan(2);
  expect(passes).toBeLessThan(12);
});

it('rows that are in order already take one pass, however many they are', async () => {
  const rows = Array.from({ length: 400 }, (_, at) => found(Math.floor(at / 10), `tie ${at % 10}`));
  const little = { sortMemoryBytes: 1_000, sortDiskBytes: 1e9, mergeBytes: 3_000 };
  expect(await sortedBy(rows, little)).toEqual({ all: rows, passes: 1 });
  expect((await sortedBy([...rows].reverse(), little)).passes).toBeGreaterThan(2);
});

it('rows that nothing tells apart and that fit nowhere are an error', async () => {
  const sort = createSort({ sortMemoryBytes: 1_000, sortDiskBytes: 6_000, mergeBytes: 1e6 });
  const addAll = async () => {
    for (let at = 0; at < 200; at++) await sort.add(found(1, 'same', String(at)));
  };
  await expect(addAll()).rejects.toMatchObject({ code: 'too_large', kind: 'config' });
  await sort.close();
});
