import { createKey, hashSecret, parseKey, verifyKey } from './key.ts';

const pepper = 'a pepper for tests only';
const aKey = (options = {}) =>
  createKey({ ws: 'demo', name: 'backend', permissions: ['users.track'], pepper, ...options });

describe('an API key', () => {
  it('has a prefix, an id, a secret and a checksum', () => {
    expect(aKey().key).toMatch(/^rk_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
  });

  it('is kept as its id and the keyed hash of its secret, never as itself', () => {
    const { key, record } = aKey();
    const parsed = parseKey(key);
    expect(parsed?.id).toBe(record.id);
    expect(record.hash).toBe(hashSecret(pepper, parsed?.secret ?? ''));
    expect(JSON.stringify(record)).not.toContain(parsed?.secret ?? '');
  });

  it('is made from what it is given: same time, same dice, same key', () => {
    const given = { now: new Date(0), random: (bytes: number) => Buffer.alloc(bytes, 7) };
    expect(aKey(given)).toEqual(aKey(given));
    expect(aKey(given).record.created).toBe('1970-01-01T00:00:00.000Z');
  });

  it('leaves out what is not restricted', () => {
    expect(Object.keys(aKey({ ips: [], expires: undefined }).record)).not.toEqual(
      expect.arrayContaining(['ips', 'expires']),
    );
    expect(aKey({ ips: ['10.0.0.0/8'], expires: '2030-01-01' }).record).toMatchObject({
      ips: ['10.0.0.0/8'],
      expires: '2030-01-01T00:00:00.000Z',
    });
  });

  it('is known offline: any single wrong letter is noticed', () => {
    const { key } = aKey();
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(parseKey(`${key.slice(0, at)}${other}${key.slice(at + 1)}`)).toBeUndefined();
    }
  });

  it.each(['', 'rk_', 'rk_a_b_c', 'Bearer x'])('does not take %j for a key', (text) => {
    expect(parseKey(text)).toBeUndefined();
    expect(parseKey(` ${aKey().key}`)).toBeUndefined();
    expect(parseKey(`${aKey().key}\n`)).toBeUndefined();
  });

  it('is verified against its own record and pepper only', () => {
    const { key, record } = aKey();
    const parsed = parseKey(key) ?? { id: '', secret: '' };
    expect(verifyKey(record, parsed, pepper)).toBe(true);
    expect(verifyKey(record, parsed, 'another pepper')).toBe(false);
    expect(verifyKey(aKey().record, parsed, pepper)).toBe(false);
    expect(verifyKey(undefined, parsed, pepper)).toBe(false);
    expect(verifyKey({ ...record, hash: 'zz' }, parsed, pepper)).toBe(false);
  });

  it('is verified under every secret that is known, also past its date, and under no other', () => {
    const { key, record } = aKey();
    const parsed = parseKey(key) ?? { id: '', secret: '' };
    const others = [{ secret: pepper, until: new Date(0) }];
    expect(verifyKey(record, parsed, { makes: 'the next pepper', others })).toBe(true);
    expect(verifyKey(record, parsed, { makes: 'the next pepper', others: [] })).toBe(false);
    expect(verifyKey(undefined, parsed, { makes: 'the next pepper', others })).toBe(false);
  });
});
