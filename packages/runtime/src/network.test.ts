import { householdOf } from './network.ts';

it('a household is a /64 of IPv6, and the same for both forms of IPv4', () => {
  expect(householdOf('2001:db8:1:2::a')).toBe(householdOf('2001:db8:1:2:ffff::b'));
  expect(householdOf('2001:db8:1:2::a')).not.toBe(householdOf('2001:db8:1:3::a'));
  expect(householdOf('::ffff:10.0.0.1')).toBe(householdOf('10.0.0.1'));
  expect(householdOf('10.0.0.1')).not.toBe(householdOf('10.0.0.2'));
});
