import type { Json } from '../../types.ts';
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

  const filtered = 'emails[type eq "work" and password eq "secret"].value';

  type Operation = { [name: string]: Json };

  it.each<[sent: Operation, changed: Operation]>([
    [{ op: 'replace', path: 'password', value: 'secret' }, { value: '' }],
    [{ OP: 'Replace', Path: 'PASSWORD', Value: 'secret' }, { Value: '' }],
    [{ op: 'add', value: { password: 'secret', active: true } }, { value: { active: true } }],
    [{ op: 'add', path: 'urn:acme:2.0:User:oldPassword', value: 'secret' }, { value: '' }],
    [
      { op: 'replace', path: filtered, value: 'x' },
      { path: 'emails[]', value: '' },
    ],
    [{ op: 'remove', Path: 'roles[Password sw secret' }, { Path: 'roles[]' }],
    [{ op: 'replace', path: 'emails[value eq "password@x"].type', value: 'work' }, {}],
    [{ op: 'add', path: 'displayName', value: 'password' }, {}],
  ])('is taken out of an operation: %j with %j', (sent, changed) => {
    const body = (one: Operation) => ({ schemas: ['x'], Operations: [one, 'no object'] });
    expect(withoutPasswords(body(sent))).toEqual(body({ ...sent, ...changed }));
  });

  it('leaves everything else the very object that it is', () => {
    const body = { schemas: [], Operations: [{ op: 'remove', path: 'emails' }] };
    expect(withoutPasswords(body)).toBe(body);
    expect(withoutPasswords(body)).toBe(body);
  });
});
