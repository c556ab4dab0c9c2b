import { mergedSettings } from './merged-settings.ts';

describe('settings with what a file adds', () => {
  it.each<[string, unknown, unknown, unknown]>([
    [
      'keep what the file leaves out',
      { id: 'shop', tags: ['a'] },
      { id: 'shop' },
      { id: 'shop', tags: ['a'] },
    ],
    ['have the value of the file', { track: { a: 1, b: 2 } }, { track: { b: 3 } }, { track: { a: 1, b: 3 } }],
    ['have new items last', { tags: ['b', 'a'] }, { tags: ['c', 'a'] }, { tags: ['b', 'a', 'c'] }],
    [
      'have the order of a file that names all',
      { tags: ['b', 'a'] },
      { tags: ['c', 'a', 'b'] },
      { tags: ['c', 'a', 'b'] },
    ],
    [
      'keep the members of an item and its channels',
      { apps: [{ id: 'web', platform: 'web', channels: { email: { smtp: { env: 'A' } }, webhook: {} } }] },
      { apps: [{ id: 'web', name: 'New', channels: { email: { smtp: { file: 'b' } } } }] },
      {
        apps: [
          {
            id: 'web',
            platform: 'web',
            channels: { email: { smtp: { file: 'b' } }, webhook: {} },
            name: 'New',
          },
        ],
      },
    ],
    [
      'replace an audience as a whole',
      { segments: [{ id: 'gold', audience: { AND: [1] } }] },
      { segments: [{ id: 'gold', audience: { OR: [2] } }] },
      { segments: [{ id: 'gold', audience: { OR: [2] } }] },
    ],
    [
      'replace a connection that became of another kind',
      { integrations: { connections: [{ id: 'a', kind: 'mysql', url: 1 }] } },
      { integrations: { connections: [{ id: 'a', kind: 'files', folder: 'x' }] } },
      { integrations: { connections: [{ id: 'a', kind: 'files', folder: 'x' }] } },
    ],
    [
      'know a cap by its channel and days',
      { frequency_caps: [{ channel: 'email', sends: 1, days: 1 }] },
      { frequency_caps: [{ channel: 'email', sends: 2, days: 1 }] },
      { frequency_caps: [{ channel: 'email', sends: 2, days: 1 }] },
    ],
    [
      'know a thing by its name where the file gives no id',
      { workspaces: [{ id: '17', name: 'Shop', teams: [{ id: '1', name: 'A' }] }] },
      { workspaces: [{ name: 'Shop', teams: [{ name: 'B' }] }] },
      { workspaces: [{ id: '17', name: 'Shop', teams: [{ id: '1', name: 'A' }, { name: 'B' }] }] },
    ],
  ])('%s', (_, stored, given, merged) => {
    expect(mergedSettings(stored, given)).toEqual(merged);
  });
});
