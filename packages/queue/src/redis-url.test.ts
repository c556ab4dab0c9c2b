import { sentinelOptions } from './redis-url.ts';

describe('the URL of sentinels', () => {
  it('names several, the primary, and who asks', () => {
    expect(
      sentinelOptions(
        'redis+sentinel://app:s%40fe@one:26380,[::1],three/main/2?sentinel_username=watch&sentinel_password=p%26q',
      ),
    ).toEqual({
      sentinels: [
        { host: 'one', port: 26_380 },
        { host: '::1', port: 26_379 },
        { host: 'three', port: 26_379 },
      ],
      name: 'main',
      db: 2,
      username: 'app',
      password: 's@fe',
      sentinelUsername: 'watch',
      sentinelPassword: 'p&q',
      sentinelCommandTimeout: 1_000,
    });
  });

  it('asks for TLS of the sentinels and of the servers', () => {
    expect(sentinelOptions('rediss+sentinel://:secret@one/main')).toMatchObject({
      password: 'secret',
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    });
  });

  it.each(['redis+sentinel://one', 'redis+sentinel:///main', 'redis+sentinel://user:secret@one/'])(
    'that is not complete is refused in words that hold no password: %s',
    (url) => {
      expect(() => sentinelOptions(url)).toThrow(/has the form redis\+sentinel/);
      expect(() => sentinelOptions(url)).not.toThrow(/secret@one/);
    },
  );
});
