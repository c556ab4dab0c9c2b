import { createKey, type KeyRecord } from './key.ts';
import { isIpRange, mayUse } from './may-use.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const aRecord = (changes: Partial<KeyRecord> = {}): KeyRecord => ({
  ...createKey({ ws: 'demo', name: 'backend', permissions: ['users.track'], pepper: 'p' }).record,
  ...changes,
});
const use = (changes: Partial<KeyRecord>, ip = '192.0.2.1', permission = 'users.track') =>
  mayUse(aRecord(changes), { permission, ip, now });

describe('whether a key may be used', () => {
  it('allows what it was given and nothing else', () => {
    expect(use({})).toBe('ok');
    expect(use({}, '192.0.2.1', 'users.delete')).toBe('permission');
    expect(use({ permissions: ['*'] }, '192.0.2.1', 'users.delete')).toBe('ok');
    expect(use({ permissions: [] })).toBe('permission');
    expect(use({}, '192.0.2.1', 'constructor')).toBe('permission');
  });

  it('asks nothing about permissions when none is named', () => {
    expect(mayUse(aRecord({ permissions: [] }), { ip: '192.0.2.1', now })).toBe('ok');
  });

  it('ends with its revocation and at its expiry', () => {
    expect(use({ revoked: '2020-01-01T00:00:00Z' })).toBe('revoked');
    expect(use({ expires: '2026-11-21T12:00:00.000Z' })).toBe('expired');
    expect(use({ expires: '2026-11-21T12:00:00.001Z' })).toBe('ok');
    expect(use({ expires: 'some day' })).toBe('expired');
  });

  it.each([
    [['10.0.0.0/8'], '10.255.0.1', 'ok'],
    [['10.0.0.0/8'], '11.0.0.1', 'ip'],
    [['10.0.0.0/8'], '::ffff:10.1.1.1', 'ok'],
    [['192.0.2.7'], '192.0.2.7', 'ok'],
    [['192.0.2.7'], '192.0.2.8', 'ip'],
    [['2001:db8::/32'], '2001:db8:1::9', 'ok'],
    [['2001:db8::/32'], '2001:db9::1', 'ip'],
    [['2001:db8::/32', '10.0.0.1'], '10.0.0.1', 'ok'],
    [['nonsense'], '10.0.0.1', 'ip'],
    [['10.0.0.0/8'], '', 'ip'],
    [[], '10.0.0.1', 'ok'],
  ])('with the list %j says to %s: %s', (ips, ip, verdict) => {
    expect(use({ ips }, ip)).toBe(verdict);
  });

  it('takes addresses and ranges of them, and no other texts', () => {
    const good = ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/128'];
    const bad = ['', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0.0/', 'host'];
    expect([...good, ...bad].filter(isIpRange)).toEqual(good);
  });
});
