import { completeSettings } from '@roster/access';
import { differences } from './differences.ts';

const settings = (changes = {}) => completeSettings({ id: 'demo', ...changes });
const app = (id: string, name = id) => ({ id, name });

describe('differences of settings', () => {
  it('are none between equals', () => {
    expect(differences(settings(), settings())).toEqual([]);
  });

  it('name the place and both values', () => {
    expect(differences(settings(), settings({ track: { max_updates: 100 }, name: 'Demo' }))).toEqual([
      'name: "demo" -> "Demo"',
      'track.max_updates: 50 -> 100',
    ]);
  });

  it('say what a list gains, changes and loses', () => {
    const before = settings({ apps: [app('a'), app('b')], tags: ['x'] });
    const after = settings({ apps: [app('b', 'New'), app('c')], tags: ['x', 'y'] });
    expect(differences(before, after)).toEqual(['apps: + c, - a', 'apps.b.name: "b" -> "New"', 'tags: + y']);
  });

  it('know a frequency cap, which has no name, by its channel and its days', () => {
    const capped = (...frequency_caps: object[]) => settings({ messaging: { frequency_caps } });
    const cap = (sends: number, days = 1) => ({ channel: 'email', sends, days });
    expect(differences(capped(cap(1)), capped(cap(2), cap(9, 7)))).toEqual([
      'messaging.frequency_caps: + email in 7 days',
      'messaging.frequency_caps.email in 1 days.sends: 1 -> 2',
    ]);
  });

  it('say when only the order changed', () => {
    expect(differences(settings({ tags: ['a', 'b'] }), settings({ tags: ['b', 'a'] }))).toEqual([
      'tags: another order',
    ]);
  });

  it('say what comes and goes', () => {
    const limits = { track: { requests: 1, seconds: 1 } };
    expect(differences(settings(), settings({ limits }))).toEqual([
      'limits.track: (none) -> {"requests":1,"seconds":1}',
    ]);
    expect(differences(settings({ limits }), settings())).toEqual([
      'limits.track: {"requests":1,"seconds":1} -> (none)',
    ]);
  });
});
