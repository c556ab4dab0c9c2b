import { doubtful, joined } from './known.ts';

const requests = [{ at: 20 }, { at: 10 }];

it('a claim is in doubt when it is younger than the oldest request, or missing', () => {
  const claims = new Map(Object.entries({ older: { at: 9 }, same: { at: 10 }, younger: { at: 11 } }));
  expect(doubtful(['older', 'same', 'younger', 'unclaimed'], claims, requests)).toEqual([
    'younger',
    'unclaimed',
  ]);
});

it('what was read anew counts', () => {
  const known = new Map(Object.entries({ ada: 1, bob: 1 }));
  expect(joined(known, new Map([['bob', 2]]))).toEqual(new Map(Object.entries({ ada: 1, bob: 2 })));
  expect(joined(known, new Map())).toBe(known);
});
