import { scryptSync } from 'node:crypto';
import { problemsIn } from '@roster/testkit';
import { completeCompany } from './company.ts';
import { hashPassword, verifyPassword } from './password.ts';

const problemsOf = (input: unknown): string[] => problemsIn(() => completeCompany(input));

describe('a company', () => {
  it('needs an id and no more', () => {
    expect(completeCompany({ id: 'acme' })).toEqual({
      id: 'acme',
      name: 'acme',
      workspaces: [],
      roles: [],
      permission_sets: [],
      limits: {},
    });
  });

  it('has ids that are made from names, the same ones every time, unless they are given', () => {
    const given = {
      id: 'acme',
      workspaces: [{ name: 'Shop', teams: [{ name: 'Europe' }] }],
      roles: [{ name: 'R', id: 'r1' }],
    };
    const [one, other] = [completeCompany(given), completeCompany(given)];
    expect(one).toEqual(other);
    expect(one.workspaces[0]?.id).toMatch(/^[0-9a-f]{24}$/);
    expect(one.workspaces[0]?.teams[0]?.id).not.toBe(one.workspaces[0]?.id);
    expect(one.roles[0]?.id).toBe('r1');
    expect(completeCompany({ ...given, id: 'other' }).workspaces[0]?.id).not.toBe(one.workspaces[0]?.id);
  });

  it.each([
    [{ id: 'Acme!' }, 'id must be lower-case letters, digits and -, at most 40'],
    [
      { id: 'a', team: [] },
      'team is not a setting; there are id, name, workspaces, default_workspace, roles, permission_sets, limits',
    ],
    [{ id: 'a', roles: [{ name: 'R' }, { name: 'R' }] }, 'roles has the name R more than once'],
    [
      { id: 'a', workspaces: [{ name: 'S', teams: [{ name: 'T' }, { name: 'T' }] }] },
      'teams of S has the name T more than once',
    ],
    [
      { id: 'a', permission_sets: [{ name: 'P', permissions: ['fly'] }] },
      'permission set P: there is no permission fly',
    ],
    [{ id: 'a', roles: [{ name: 'R', workspace: 'Moon' }] }, 'there is no workspace Moon in the company'],
    [{ id: 'a', default_workspace: 'Moon' }, 'there is no workspace Moon in the company'],
  ])('names what is wrong: %j', (input, problem) => {
    expect(problemsOf(input)).toContain(problem);
  });
});

describe('a password', () => {
  it('is kept as a hash with a salt of its own, and an unknown user has none', async () => {
    const [one, other] = [await hashPassword('open sesame'), await hashPassword('open sesame')];
    expect(one.hash).not.toBe(other.hash);
    expect(JSON.stringify(one)).not.toContain('sesame');
    const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 };
    const key = scryptSync('open sesame', Buffer.from(one.salt, 'hex'), 32, cost);
    expect(one.hash).toBe(key.toString('hex'));
    expect(await verifyPassword(one, 'open sesame')).toBe(true);
    expect(await verifyPassword(one, 'open sesam')).toBe(false);
    expect(await verifyPassword(undefined, 'open sesame')).toBe(false);
  });
});
