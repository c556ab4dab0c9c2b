import { completeSettings, limitFor, SettingsError } from './settings.ts';

const problemsOf = (input: unknown): string[] => {
  try {
    completeSettings(input);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
};

describe('settings of a workspace', () => {
  it('need an id and no more', () => {
    expect(completeSettings({ id: 'demo' })).toEqual({
      id: 'demo',
      name: 'demo',
      apps: [],
      tags: [],
      subscription_groups: [],
      limits: {},
      track: { max_updates: 50, blocked_external_ids: [], keep_event_properties: true },
      retention: { outcome_days: 30, event_days: 90 },
    });
  });

  it('keep what is given and fill in the rest', () => {
    const settings = completeSettings({ id: 'demo', track: { max_updates: 1000 } });
    expect(settings.track).toEqual({
      max_updates: 1000,
      blocked_external_ids: [],
      keep_event_properties: true,
    });
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
        'tag is not a setting',
      ]),
    );
  });

  it.each([[undefined], [null], ['demo'], [[]], [{}]])('are not %j', (input) => {
    expect(problemsOf(input).length).toBeGreaterThan(0);
  });

  it('have every id once', () => {
    const twice = { id: 'news', name: 'News', channel: 'email' };
    expect(problemsOf({ id: 'demo', subscription_groups: [twice, twice], tags: ['a', 'a'] })).toEqual([
      'subscription_groups has the id news more than once',
      'tags has a more than once',
    ]);
  });

  it('may change the rate of a pool', () => {
    const usual = { pool: 'track', requests: 3000, seconds: 3 };
    const settings = completeSettings({ id: 'demo', limits: { track: { requests: 5, seconds: 60 } } });
    expect(limitFor(settings, usual)).toEqual({ pool: 'track', requests: 5, seconds: 60 });
    expect(limitFor(settings, { ...usual, pool: 'default' })).toEqual({ ...usual, pool: 'default' });
    expect(limitFor(settings, { ...usual, pool: 'constructor' })).toEqual({ ...usual, pool: 'constructor' });
  });
});
