import { sentinelsIn } from './sentinels.ts';

describe('the address of a Redis with Sentinels', () => {
  it.each([
    [
      'redis+sentinel://a,b:26380,10.0.0.3/roster',
      {
        sentinels: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 26_380 },
          { host: '10.0.0.3', port: 26_379 },
        ],
        name: 'roster',
      },
    ],
    [
      'redis+sentinel://[::1]:7000/my.main-1/3',
      { sentinels: [{ host: '::1', port: 7000 }], name: 'my.main-1', db: 3 },
    ],
    [
      'redis+sentinel://roster:p%40ss+word@a/roster?sentinelUsername=asks&sentinelPassword=a%26b+c',
      {
        sentinels: [{ host: 'a', port: 26_379 }],
        name: 'roster',
        username: 'roster',
        password: 'p@ss+word',
        sentinelUsername: 'asks',
        sentinelPassword: 'a&b+c',
      },
    ],
    [
      'redis+sentinel://:secret@a/roster',
      { sentinels: [{ host: 'a', port: 26_379 }], name: 'roster', password: 'secret' },
    ],
    [
      'rediss+sentinel://a/roster',
      {
        sentinels: [{ host: 'a', port: 26_379 }],
        name: 'roster',
        tls: {},
        sentinelTLS: {},
        enableTLSForSentinelMode: true,
      },
    ],
  ])('%s', (url, options) => {
    expect(sentinelsIn(url)).toEqual(options);
  });

  it.each(['redis://a:6379', 'rediss://user:password@a:6379/2', 'redis://a/sentinel'])('is not %s', (url) => {
    expect(sentinelsIn(url)).toBeUndefined();
  });
});
