import { withoutPasswords } from './passwords.ts';

describe('a password that a provisioner sends', () => {
  it.each([
    [{ userName: 'a', password: 'secret' }, { userName: 'a' }],
    [{ PassWord: 'secret' }, {}],
    [{ 'urn:ietf:params:scim:schemas:core:2.0:User:password': 'secret' }, {}],
    [
      { 'urn:acme:2.0:User': { a: [{ newPassword: 'secret', b: 1 }] } },
      { 'urn:acme:2.0:User': { a: [{ b: 1 }] } },
    ],
    [JSON.parse('{"__proto__": {"password": "secret"}}'), JSON.parse('{"__proto__": {}}')],
  ])('is taken out of a user: %j', (sent, kept) => {
    expect(withoutPasswords(sent)).toEqual(kept);
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
      { op: 'add', path: 'urn:acme:2.0:User:oldPassword', value: 'secret' },
      { op: 'add', path: 'urn:acme:2.0:User:oldPassword', value: '' },
    ],
    [
      { op: 'replace', path: 'emails[type eq "work" and password eq "secret"].value', value: 'x' },
      { op: 'replace', path: 'emails[]', value: '' },
    ],
    [
      { op: 'remove', Path: 'roles[Password sw secret' },
      { op: 'remove', Path: 'roles[]' },
    ],
    [
      { op: 'replace', path: 'emails[value eq "password@x"].type', value: 'work' },
      { op: 'replace', path: 'emails[value eq "password@x"].type', value: 'work' },
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
    expect(withoutPasswords(body)).toBe(body);
  });
});
