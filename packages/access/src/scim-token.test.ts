import { useRedis } from '@roster/testkit';
import { completeCompany } from './company.ts';
import { createDirectory, type Directory } from './directory.ts';
import { createKey, hashSecret, parseKey } from './key.ts';
import { createScimToken, parseScimToken, verifyScimToken } from './scim-token.ts';
import { publishScimToken, refreshCopy } from './serving-copy.ts';
import { completeSettings } from './settings.ts';
import { connectionsTo } from './test-connections.ts';

const pepper = 'a pepper for tests only';
const origin = 'https://acme.okta.com';
const made = (more: object = {}) =>
  createScimToken({ company: 'acme', name: 'okta', origins: [origin], pepper, ...more });

describe('a SCIM token', () => {
  it('is recognised offline, and its secret is not kept', () => {
    const { token, record } = made();
    expect(token).toMatch(/^rs_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
    const parsed = parseScimToken(token);
    expect(parsed?.id).toBe(record.id);
    expect(JSON.stringify(record)).not.toContain(parsed?.secret);
    expect(parseScimToken(`${token.slice(0, -1)}!`)).toBeUndefined();
  });

  it('is verified under every secret that is known', () => {
    const { token, record } = made();
    const parsed = parseScimToken(token) ?? { id: '', secret: '' };
    const others = [{ secret: pepper, until: new Date(0) }];
    expect(verifyScimToken(record, parsed, { makes: 'the next pepper', others })).toBe(true);
    expect(verifyScimToken(record, parsed, { makes: 'the next pepper', others: [] })).toBe(false);
  });

  it('is no API key, and an API key is no token, whatever prefix it is given', () => {
    const { token, record } = made();
    const { key } = createKey({ ws: 'demo', name: 'k', permissions: ['*'], pepper });
    expect([parseKey(token), parseScimToken(key)]).toEqual([undefined, undefined]);
    expect(record.hash).not.toBe(hashSecret(pepper, parseScimToken(token)?.secret ?? ''));
  });
});

describe('the door for provisioners', () => {
  const { url, redis } = useRedis(() => directory.close());
  let directory: Directory;
  const company = completeCompany({ id: 'acme', limits: { scim: { requests: 7, seconds: 60 } } });
  const good = made();
  const from = made({ ips: ['10.0.0.0/8'] });
  const expired = made({ expires: '2020-01-01T00:00:00Z' });
  const records = [good.record, from.record, expired.record];

  beforeAll(async () => {
    directory = createDirectory({ ...connectionsTo(url), pepper });
    await directory.settled();
  });

  const ask = async (token: string, more: object = {}, door = directory) => {
    const caller = { authorization: `Bearer ${token}`, origin, ip: '127.0.0.1', ...more };
    const access = await door.authenticateScim(caller);
    return access.ok ? access.company : access.code;
  };

  it('is unavailable before anything was published, or while Redis is away', async () => {
    expect(await ask(good.token)).toBe('UNAVAILABLE');
    const alone = createDirectory({ ...connectionsTo('redis://127.0.0.1:1'), pepper });
    expect(await ask(good.token, {}, alone)).toBe('UNAVAILABLE');
    await alone.close();
  });

  it('opens to a good token with its origin, and tells the limits of the company', async () => {
    await refreshCopy(redis, async () => ({
      keys: [],
      workspaces: [],
      scimTokens: records,
      companies: [company],
    }));
    expect(await ask(good.token)).toEqual({ id: 'acme', limits: company.limits });
    expect(await ask(good.token, { origin: 'HTTPS://Acme.okta.com/' })).toMatchObject({ id: 'acme' });
    expect(await ask(from.token, { ip: '10.1.2.3' })).toMatchObject({ id: 'acme' });
  });

  it.each([
    ['another origin', () => ask(good.token, { origin: 'https://evil.test' })],
    ['no origin', () => ask(good.token, { origin: undefined })],
    ['another secret', () => ask(made().token)],
    ['a token that is over', () => ask(expired.token)],
    ['another address', () => ask(from.token, { ip: '11.1.2.3' })],
    ['an API key', () => ask(createKey({ ws: 'demo', name: 'k', permissions: ['*'], pepper }).key)],
    ['no token', () => ask('')],
  ])('is shut to %s', async (_what, tried) => {
    expect(await tried()).toBe('INVALID_TOKEN');
  });

  it('shuts the moment a token is revoked, and an old reading does not open it again', async () => {
    const truth = { keys: [], workspaces: [completeSettings({ id: 'demo' })], companies: [company] };
    const revoked = { ...good.record, revoked: '2026-01-01T00:00:00Z' };
    let readings = 0;
    await refreshCopy(redis, async () => {
      readings += 1;
      if (readings > 1) return { ...truth, scimTokens: [revoked] };
      await publishScimToken(redis, revoked);
      return { ...truth, scimTokens: [good.record] };
    });
    expect(readings).toBe(2);
    expect(await ask(good.token)).toBe('INVALID_TOKEN');
  });
});
