import { withoutPassword, withoutPasswords } from './passwords.ts';

describe('a password that a provisioner sends', () => {
  it.each([
    [{ userName: 'a', password: 'secret' }, { userName: 'a' }],
    [{ PassWord: 'secret' }, {}],
    [{ 'urn:ietf:params:scim:schemas:core:2.0:User:password': 'secret' }, {}],
  ])('is taken out of a user: %j', (sent, kept) => {
    expect(withoutPassword(sent)).toEqual(kept);
  });

  it.each([
    [
      { op: 'replace', path: 'password', value: 'secret' },
      { op: 'replace', path: 'password', value: '' },
    ],
    [
      { OP: 'Replace', Path: 'PASSWORD', Value: 'secret' },
      { OP: 'Replace', Path: 'PASSWORD', Value: '' },
    ],
    [
      { op: 'add', value: { password: 'secret', active: true } },
      { op: 'add', value: { active: true } },
    ],
    [
      { op: 'add', path: 'displayName', value: 'password' },
      { op: 'add', path: 'displayName', value: 'password' },
    ],
  ])('is taken out of an operation: %j', (sent, kept) => {
    expect(withoutPasswords({ schemas: ['x'], Operations: [sent, 'no object'] })).toEqual({
      schemas: ['x'],
      Operations: [kept, 'no object'],
    });
  });

  it('leaves everything else the very object that it is', () => {
    const body = { schemas: [], Operations: [{ op: 'remove', path: 'emails' }] };
    expect(withoutPasswords(body)).toBe(body);
    expect(withoutPassword(body)).toBe(body);
  });
});
