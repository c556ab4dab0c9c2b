import { problemsIn } from '@roster/testkit';
import { completeSettings, limitFor, upToDate, type WorkspaceSettings } from './settings.ts';

const suspicious = [
  ...['', 'null', 'undefined', 'none', 'nil', 'nan', '[object Object]'],
  ...['0', 'guest', 'anonymous', 'true', 'false'],
];

const problemsOf = (input: unknown): string[] => problemsIn(() => completeSettings(input));

describe('settings of a workspace', () => {
  it('need an id and no more', () => {
    expect(completeSettings({ id: 'demo' })).toEqual({
      id: 'demo',
      name: 'demo',
      apps: [],
      tags: [],
      subscription_groups: [],
      segments: [],
      messaging: {
        time_zone: 'UTC',
        frequency_caps: [],
        late_minutes: 60,
        resend_unknown: false,
        webhook_private_hosts: false,
      },
      integrations: { connections: [] },
      limits: {},
      track: {
        max_updates: 50,
        blocked_external_ids: [],
        suspicious_external_ids: suspicious,
        max_array_elements: 25,
        max_profile_bytes: 1024 * 1024,
        blocked_attributes: [],
        keep_event_properties: true,
      },
      currency: { reporting: 'USD', rates: {} },
      retention: { outcome_days: 30, keep_consent_proof: false, event_days: 90 },
    });
  });

  it('keep what is given and fill in the rest', () => {
    const settings = completeSettings({ id: 'demo', track: { max_updates: 1000 } });
    expect(settings.track).toEqual({ ...completeSettings({ id: 'demo' }).track, max_updates: 1000 });
  });

  it('never share their defaults', () => {
    completeSettings({ id: 'one' }).apps.push({ id: 'a', name: 'A' });
    expect(completeSettings({ id: 'two' }).apps).toEqual([]);
  });

  it('do not change what they were given', () => {
    const given = { id: 'demo' };
    completeSettings(given);
    expect(given).toEqual({ id: 'demo' });
  });

  it('take references to credentials, and no credential', () => {
    const app = (smtp: unknown) => ({
      id: 'demo',
      apps: [{ id: 'a', name: 'A', channels: { email: { smtp } } }],
    });
    expect(problemsOf(app({ env: 'ROSTER_CREDENTIAL_SMTP' }))).toEqual([]);
    expect(problemsOf(app({ file: 'smtp.txt' }))).toEqual([]);
    const [problem = ''] = problemsOf(app('smtp://user:password@example.com'));
    expect(problem).toContain('apps[0].channels.email.smtp must be { "env"');
    expect(problem).not.toContain('password@');
    expect(problemsOf(app({ env: 'ROSTER_SECRET' }))).toHaveLength(1);
    expect(problemsOf(app({ file: '../etc/passwd' }))).toHaveLength(1);
  });

  it('say from where integrations read', () => {
    const good = { id: 'w', kind: 'postgresql', url: { env: 'ROSTER_CREDENTIAL_W' }, tls: 'off' };
    const [access_key, secret_key] = [{ env: 'ROSTER_CREDENTIAL_KEY' }, { env: 'ROSTER_CREDENTIAL_SECRET' }];
    const bucket = { id: 'b', kind: 's3', bucket: 'exports', format: 'parquet', access_key, secret_key };
    const folder = { id: 'f', kind: 'files', folder: 'exports', format: 'csv' };
    const withAll = (...connections: object[]) => ({ id: 'demo', integrations: { connections } });
    const token = { file: 'token' };
    const bigquery = { id: 'q', kind: 'bigquery', credentials: { file: 'key.json' } };
    const snowflake = { id: 'n', kind: 'snowflake', account: 'shop-main', user: 'roster', token };
    const databricks = { id: 'd', kind: 'databricks', endpoint: 'https://a.cloud', warehouse: 'w1', token };
    const warehouses = [bigquery, snowflake, databricks, { ...good, kind: 'redshift' }];
    for (const one of [
      good,
      bucket,
      { ...bucket, endpoint: 'http://127.0.0.1:9000' },
      { ...bucket, endpoint: 'http://minio:9000', tls: 'off' },
      folder,
      ...warehouses,
    ])
      expect(completeSettings(withAll(one)).integrations.connections).toEqual([one]);
    expect(problemsOf(withAll({ ...good, ca: { file: 'ca.pem' } }))).toEqual([]);
    for (const wrong of [
      { ...good, url: 'postgresql://a:b@host/db' },
      { ...good, kind: 'excel' },
      { ...good, tls: 'maybe' },
      { ...good, ca: 'pem' },
      { ...good, host: 'x' },
      { ...folder, folder: '/exports' },
      { ...folder, folder: '..' },
      { ...folder, folder: 'exports/deeper' },
      { ...folder, format: 'xml' },
      { ...bucket, secret_key: 'word' },
      { ...bucket, endpoint: 'https://a:b@host' },
      { ...bucket, endpoint: 'https://host/path' },
      { ...bigquery, credentials: '{}' },
      { ...snowflake, account: 'https://shop' },
      { ...databricks, token: 'word' },
      { ...databricks, endpoint: 'https://shop.cloud/sql' },
    ])
      expect(problemsOf(withAll(wrong))).toHaveLength(1);
    const at = 'integrations.connections[0]';
    for (const [wrong, problem] of [
      [{ ...good, kind: 'excel' }, `${at} must be a connection of kind postgresql, `],
      [{ ...good, url: 'postgresql://a:b@host/db' }, `${at}.url must be { "env": "ROSTER_CREDENTIAL_..." }`],
      [{ ...good, host: 'x' }, `${at}.host is not a setting; there are id, kind, url, `],
      [{ ...folder, format: 'xml' }, `${at}.format must be one of `],
    ] as const)
      expect(problemsOf(withAll(wrong))).toEqual([expect.stringContaining(problem)]);
    expect(problemsOf(withAll(good, good))).toEqual(['integrations.connections has the id w more than once']);
  });

  it.each(['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'US/Pacific'])('know the time zone %s', (time_zone) => {
    expect(problemsOf({ id: 'demo', messaging: { time_zone } })).toEqual([]);
  });

  it('say what is wrong with a segment, and where', () => {
    const exists = { custom_attribute: { custom_attribute_name: 'plan', comparison: 'exists' } };
    const segments = [
      { id: 'some', name: 'Some', audience: exists },
      { id: 'some', name: 'Others', audience: { AND: [exists, { last_used_app: { comparison: 'since' } }] } },
    ];
    expect(problemsOf({ id: 'demo', segments })).toEqual([
      'segments has the id some more than once',
      'segments[1].audience.AND[1].last_used_app.comparison must be one of after, before',
    ]);
    const tooMany = Array.from({ length: 101 }, (_, n) => ({ id: `s${n}`, name: 'S', audience: exists }));
    expect(problemsOf({ id: 'demo', segments: tooMany })).toEqual([
      'segments must be a list of at most 100 segments',
    ]);
  });

  it('say every wrong place at once', () => {
    const wrong = {
      id: 'Demo Shop',
      apps: [{ id: 'a b', name: '' }],
      subscription_groups: [{ id: 'news', name: 'News', channel: 'fax' }],
      track: { max_updates: 2000 },
      tag: ['x'],
    };
    expect(problemsOf(wrong)).toEqual(
      expect.arrayContaining([
        'id must be lower-case letters, digits and -, at most 40',
        'apps[0].id must be letters, digits, - and _, at most 64',
        expect.stringMatching(/^apps\[0\]\.name must be/),
        'subscription_groups[0].channel must be email or sms',
        expect.stringMatching(/^track\.max_updates must be .*1000/),
        expect.stringMatching(/^tag is not a setting; there are id, name, apps, tags, subscription_groups, /),
      ]),
    );
  });

  it.each([[undefined], [null], ['demo'], [[]], [{}]])('are not %j', (input) => {
    expect(problemsOf(input).length).toBeGreaterThan(0);
  });

  it.each([
    ['2026-01-31T12:00:00Z', 0],
    ['2026-11-29T16:55:01.123Z', 0],
    ['2026-13-01T12:00:00Z', 1],
    ['2026-01-31', 1],
  ])('end earlier addresses of an app at a time: %s has %i problems', (addresses_since, count) => {
    const sms = { provider: { file: 'sms' }, addresses_since };
    const apps = [{ id: 'shop', name: 'Shop', channels: { sms } }];
    expect(problemsOf({ id: 'shop', name: 'Shop', apps })).toHaveLength(count);
  });

  const group = { id: 'news', name: 'News', channel: 'email' };

  it('may describe a subscription group', () => {
    const subscription_groups = [{ ...group, description: 'Once a month' }];
    expect(completeSettings({ id: 'demo', subscription_groups })).toMatchObject({ subscription_groups });
  });

  it('may change the rate of a pool', () => {
    const usual = { pool: 'track', requests: 3000, seconds: 3 };
    const settings = completeSettings({ id: 'demo', limits: { track: { requests: 5, seconds: 60 } } });
    expect(limitFor(settings, usual)).toEqual({ pool: 'track', requests: 5, seconds: 60 });
    expect(limitFor(settings, { ...usual, pool: 'default' })).toEqual({ ...usual, pool: 'default' });
    expect(limitFor(settings, { ...usual, pool: 'constructor' })).toEqual({ ...usual, pool: 'constructor' });
  });

  it('may switch the list of suspicious ids off', () => {
    const { track } = completeSettings({ id: 'demo', track: { suspicious_external_ids: [] } });
    expect(track.suspicious_external_ids).toEqual([]);
  });

  it.each([
    [{ reporting: 'EUR', rates: { USD: '0.926', JPY: 0.0062, EUR: 1 } }],
    [{ rates: { EUR: '1.08', VED: '0.000000001', USD: '1' } }],
  ])('may have the currencies %j', (currency) => {
    const settings = completeSettings({ id: 'demo', currency });
    expect(settings.currency).toEqual({ reporting: 'USD', ...currency });
  });

  const track = (track: object) => ({ track });
  const currency = (currency: object) => ({ currency });
  const zone = 'messaging.time_zone must be an IANA name such as Europe/Berlin';
  const iso = 'must be an ISO 4217 code such as USD';
  const decimal = 'must be a decimal number above 0, such as "1.08"';
  it.each<[settings: object, problem: unknown]>([
    [track({ max_array_elements: 0 }), expect.stringMatching(/^track\.max_array_elements must be .*1$/)],
    [track({ max_array_elements: 101 }), expect.stringMatching(/^track\.max_array_elements must be .*100$/)],
    [track({ blocked_attributes: [''] }), expect.stringMatching(/^track\.blocked_attributes\[0\] must be/)],
    [track({ suspicious_external_ids: 'null' }), 'track.suspicious_external_ids must be array'],
    [currency({ reporting: 'usd' }), `currency.reporting ${iso}`],
    [currency({ reporting: 'QQQ' }), `currency.reporting ${iso}`],
    [currency({ rates: { EURO: 1 } }), 'currency.rates has EURO, which is not an ISO 4217 code'],
    [currency({ rates: { EUR: '1,08' } }), `currency.rates.EUR ${decimal}`],
    [currency({ rates: { EUR: '0.00' } }), `currency.rates.EUR ${decimal}`],
    [currency({ rates: { EUR: -1 } }), `currency.rates.EUR ${decimal}`],
    [currency({ rates: { EUR: 1e-9 } }), `currency.rates.EUR ${decimal}`],
    [currency({ rates: { USD: 2 } }), 'currency.rates.USD must be 1, because it is the reporting currency'],
    [currency({ rates: { EUR: null } }), expect.stringMatching(/^currency\.rates\.EUR must be/)],
    [currency({ rate: {} }), 'currency.rate is not a setting; there are reporting, rates'],
    [{ messaging: { time_zone: 'Berlin' } }, zone],
    [{ messaging: { time_zone: '+02:00' } }, zone],
    [{ subscription_groups: [group, group] }, 'subscription_groups has the id news more than once'],
    [{ tags: ['a', 'a'] }, 'tags has a more than once'],
    [
      { subscription_groups: [{ ...group, description: 'x'.repeat(501) }] },
      expect.stringMatching(/^subscription_groups\[0\]\.description must be/),
    ],
  ])('refuse %j', (settings, problem) => {
    expect(problemsOf({ id: 'demo', ...settings })).toEqual([problem]);
  });

  it('that an earlier version stored get what is new since', () => {
    const { currency, messaging, ...rest } = completeSettings({ id: 'demo', track: { max_updates: 7 } });
    const { suspicious_external_ids, ...track } = rest.track;
    const stored = { ...rest, track } as WorkspaceSettings;
    const anew = { track: { ...track, suspicious_external_ids }, currency, messaging };
    expect(upToDate(stored)).toEqual({ ...rest, ...anew });
  });
});
