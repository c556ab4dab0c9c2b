import { networkOf } from './network.ts';

it('a network is a /64 of IPv6, and the same for both forms of IPv4', () => {
  expect(networkOf('2001:db8:1:2::a')).toBe(networkOf('2001:db8:1:2:ffff::b'));
  expect(networkOf('2001:db8:1:2::a')).not.toBe(networkOf('2001:db8:1:3::a'));
  expect(networkOf('::ffff:10.0.0.1')).toBe(networkOf('10.0.0.1'));
  expect(networkOf('10.0.0.1')).not.toBe(networkOf('10.0.0.2'));
});
