import { fold } from './fold.ts';
import { newProfile } from './profile.ts';
import { visible } from './visible.ts';

describe('what others see of a profile', () => {
  const profile = fold(
    {
      ...newProfile('00ff', 'demo', 1_763_000_000_000_000),
      external_id: 'ada',
      aliases: [{ label: 'crm', name: '7' }],
    },
    [
      { kind: 'field', name: 'first_name', value: 'Ada' },
      { kind: 'field', name: 'last_name', value: null },
      { kind: 'set', name: '__proto__', value: 'only a name' },
      { kind: 'set', name: 'gone', value: null },
      { kind: 'increment', name: 'visits', by: 2 },
    ],
    1_763_000_000_000_001,
  ).profile;
  const seen = visible(profile);

  it('holds identifiers, fields and custom attributes by their names', () => {
    expect(seen).toMatchObject({
      service_id: '00ff',
      external_id: 'ada',
      user_aliases: [{ alias_name: '7', alias_label: 'crm' }],
      fields: { first_name: 'Ada' },
      created_at: '2025-11-13T02:13:20.000Z',
    });
    expect(JSON.stringify(seen.custom_attributes)).toBe('{"__proto__":"only a name","visits":2}');
  });

  it('holds nothing that was removed', () => {
    expect(seen.fields).not.toHaveProperty('last_name');
    expect(Object.keys(seen.custom_attributes)).not.toContain('gone');
  });
});
