import { createSeenIds } from './seen-ids.ts';

describe('the ids that were seen', () => {
  it('are known again, over all growth', () => {
    const seen = createSeenIds();
    const ids = Array.from({ length: 100_000 }, (_, at) => `event-${at}`);
    expect(ids.filter((id) => !seen.add(id))).toEqual([]);
    expect(ids.filter((id) => seen.add(id))).toEqual([]);
  });

  it('need 13 to 27 bytes each', () => {
    const seen = createSeenIds();
    for (let at = 0; at < 100_000; at++) seen.add(String(at));
    expect(seen.bytes()).toBe(2 ** 18 * 8);
  });

  it('are no more than their bound; one that comes again counts once', () => {
    const seen = createSeenIds(3);
    expect(['a', 'b', 'a', 'c', 'c'].map(seen.add)).toEqual([true, true, false, true, false]);
    expect(() => seen.add('d')).toThrow('more than 3 events: give folders of fewer days');
  });
});
