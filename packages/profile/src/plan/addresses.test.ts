import type { Said } from '../consent.ts';
import { createAddresses } from './addresses.ts';

const minute = 60_000_000;
const said = (v: Said['v'], at: number): Said => ({ k: 'email', v, at });

const saying = (...statements: Said[]) => {
  const addresses = createAddresses(new Map([['a', []]]), new Set());
  for (const one of statements) addresses.say('demo', 'a', [one]);
  return addresses;
};

describe('what was said before a stamp', () => {
  it.each<[string, Said[]]>([
    ['in the order of record', [said('subscribed', 10), said('unsubscribed', 20), said('subscribed', 30)]],
    ['late', [said('subscribed', 30), said('unsubscribed', 20), said('subscribed', 10)]],
  ])('is the last of it, though it was overtaken: %s', (_, all) => {
    const addresses = saying(...all);
    const before = (at: number) => addresses.saidBefore('a', at).map(({ v, at: stamp }) => [v, stamp]);
    expect(before(31)).toEqual([['subscribed', 30]]);
    expect(before(30)).toEqual([['unsubscribed', 20]]);
    expect(before(20)).toEqual([['subscribed', 10]]);
    expect(before(10)).toEqual([]);
  });

  it('is forgotten after a while: what is repeated each night takes no room', () => {
    const [day] = saying(said('subscribed', minute), said('subscribed', 20 * minute)).writes();
    expect(day?.consents).toEqual([said('subscribed', 20 * minute)]);
  });

  it('is bounded', () => {
    const all = Array.from({ length: 50 }, (_, n) => said(n % 2 ? 'subscribed' : 'unsubscribed', n));
    expect(saying(...all).writes()[0]?.consents[0]?.earlier).toHaveLength(8);
  });
});
