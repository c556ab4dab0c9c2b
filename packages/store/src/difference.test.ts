import { fold, newProfile, type Profile, type ProfileChange } from '@roster/profile';
import { difference } from './difference.ts';

const at = 1_763_000_000_000_000;
const folded = (before: Profile, changes: ProfileChange[], stamp = at): Profile =>
  fold(before, changes, stamp, 0).profile;

const ada = folded(newProfile('p1', 'demo', at - 1000), [
  { kind: 'field', name: 'email', value: 'ada@b.co' },
  { kind: 'field', name: 'first_name', value: 'Ada' },
  { kind: 'set', name: 'colour', value: 'red' },
  { kind: 'set', name: 'a.b', value: 1 },
]);

describe('the difference between two states of a profile', () => {
  it('is the changed parts, by their place', () => {
    const after = folded(
      ada,
      [
        { kind: 'field', name: 'last_name', value: 'Byron' },
        { kind: 'set', name: 'a.b', value: 2 },
        { kind: 'set', name: '$new', value: true },
        { kind: 'consent', k: 'push', v: 'opted_in' },
      ],
      at + 1,
    );
    expect(difference(ada, after)).toEqual({
      $set: {
        'fields.last_name': { v: 'Byron', at: at + 1 },
        'custom.1': { k: 'a.b', v: 2, at: at + 1 },
        'custom.2': { k: '$new', v: true, at: at + 1 },
        consents: [{ k: 'push', v: 'opted_in', at: at + 1 }],
        updated_at: at + 1,
      },
    });
  });

  it('removes parts that are gone', () => {
    const after = folded(ada, [{ kind: 'field', name: 'email', value: null }], at + 1);
    expect(difference(ada, after)).toEqual({
      $set: {
        'fields.email': after.fields.email,
        contacts: after.contacts,
        contacts_at: at + 1,
        updated_at: at + 1,
      },
      $unset: { email_key: '' },
    });
    const { lists: _, ...rest } = ada;
    expect(
      difference({ ...ada, absorbed: ['p0'] }, { ...rest, lists: {}, custom: ada.custom.slice(1) }),
    ).toEqual({
      $set: { custom: ada.custom.slice(1) },
      $unset: { absorbed: '' },
    });
  });

  it('is empty without changes', () => {
    expect(difference(ada, { ...ada })).toEqual({ $set: {} });
  });
});
