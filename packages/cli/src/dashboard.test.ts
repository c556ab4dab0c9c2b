import { createDirectory, type Directory, inviteId, verifyPassword } from '@roster/access';
import { openConnection } from '@roster/queue';
import { dashboardClaim } from '@roster/store';
import { useServers } from '@roster/testkit';
import { run, runJson } from './test-io.ts';

const pepper = 'a pepper for tests only';
const files = {
  'acme.yaml':
    'id: acme\nname: Acme\nworkspaces: [{ name: Shop, teams: [{ name: Europe }] }]\nroles: [{ name: Analyst }]\n',
  'acme2.yaml':
    'id: acme\nname: Acme\nworkspaces: [{ name: Shop }]\nroles: [{ name: Analyst }, { name: Owner }]\n',
  'other.yaml': 'id: other\nworkspaces: [{ id: market, name: Market }]\n',
  'bad.yaml': 'id: Acme\nteams: []\n',
};

describe('roster, for dashboard users', () => {
  let env: Record<string, string>;
  let directory: Directory;

  const roster = (line: string) => run(line, { env, files });
  const json = (line: string) => runJson(line, { env, files });

  const servers = useServers(async ({ redisUrl, mongoUrl }) => {
    env = { REDIS_URL: redisUrl, MONGO_URL: mongoUrl, ROSTER_SECRET: pepper };
    directory = createDirectory({
      reader: openConnection('producer', redisUrl),
      subscriber: openConnection('subscriber', redisUrl),
      pepper,
    });
    await directory.settled();
    return () => directory.close();
  });

  const enter = async (token: string) => {
    const caller = { origin: 'https://idp.test', ip: '127.0.0.1' };
    return (await directory.authenticateScim({ authorization: `Bearer ${token}`, ...caller })).ok;
  };

  it('asks for a company first', async () => {
    expect(await roster('scim token create --origin https://idp.test')).toMatchObject({
      code: 3,
      err: expect.stringContaining('roster company apply'),
    });
  });

  it('applies a company, twice without a difference, and says what is another the third time', async () => {
    expect((await json('company apply acme.yaml')).companies[0].change).toBe('created');
    expect((await json('company apply acme.yaml')).companies[0].change).toBe('unchanged');
    expect((await json('company apply acme2.yaml --dry-run')).companies[0].change).toBe('changed');
    expect((await json('company list'))[0].roles).toHaveLength(1);
    expect((await json('company apply acme2.yaml')).companies[0].differences.join()).toContain('roles: +');
    expect((await roster('company show')).out).toContain('name: Owner');
  });

  it('names everything that is wrong with a company', async () => {
    const wrong = /company Acme: teams is not a setting; there are .*\s+- company Acme: id must be/;
    const ended = { code: 2, err: expect.stringMatching(wrong) };
    expect(await roster('company apply bad.yaml')).toMatchObject(ended);
  });

  it('makes a token that works at once, shows it once, and ends it at once', async () => {
    const { token, id, ...record } = await json('scim token create --origin https://idp.test/ --name idp');
    expect(record).toMatchObject({ company: 'acme', origins: ['https://idp.test'], name: 'idp' });
    expect(await enter(token)).toBe(true);
    const { out } = await roster('scim token list');
    expect([out.includes(id), out.includes(token), out.includes('active')]).toEqual([true, false, true]);
    expect((await roster(`scim token revoke ${token}`)).code).toBe(0);
    expect(await enter(token)).toBe(false);
    expect((await roster('scim token revoke nobody')).code).toBe(3);
  });

  it.each([
    ['', '--origin'],
    ['--origin "a b"', 'can be in no header'],
    ['--origin x --ip home', 'is no address'],
    ['--origin x --expires soon', 'is no date'],
    ['--origin x --expires 2020-01-01', 'already over'],
  ])('makes no token with %s', async (options, problem) => {
    const ended = { code: 2, err: expect.stringContaining(problem) };
    expect(await roster(`scim token create ${options}`)).toMatchObject(ended);
  });

  it('asks which company when there are several', async () => {
    await roster('company apply other.yaml');
    expect((await roster('scim token create --origin x')).err).toContain('acme, other');
    expect((await json('scim token create --origin x --company other')).company).toBe('other');
  });

  it('makes a password, and ends the sessions that were there', async () => {
    const { users, claims, sessions } = servers.store.dashboard;
    const ada = { _id: 'u1', company: 'acme', userName: 'Ada@acme.test', active: true };
    await users.insertOne({ ...ada, at: 1, changed: 1, rev: 1 });
    await claims.insertOne({ _id: dashboardClaim('acme', ada.userName), user: 'u1' });
    await sessions.insertOne({ _id: 's', user: 'u1', expires: new Date(Date.now() + 1e6) });
    const { password } = await json('dashboard password ada@ACME.test --company acme');
    expect(password).toMatch(/^[\w-]{24}$/);
    expect(await verifyPassword((await users.findOne({ _id: 'u1' }))?.password, password)).toBe(true);
    expect(await sessions.countDocuments()).toBe(0);
    expect((await roster('dashboard password bob@acme.test --company acme')).code).toBe(3);
    expect((await roster('dashboard users --company acme')).out).toContain('may sign in');
  });

  describe('an invitation', () => {
    const invited = (line: string) =>
      runJson(`dashboard invite ${line}`, { env: { ...env, BOARD_URL: 'https://board.test' }, files });

    it('makes the user, who administers one workspace, and a link that is kept as a hash', async () => {
      const { users, sessions } = servers.store.dashboard;
      const { link, id } = await invited('eve@other.test --workspace market');
      const [, token = ''] = /^https:\/\/board\.test\/invite\/([\w-]{43})$/.exec(link) ?? [];
      expect(await users.findOne({ _id: id })).toMatchObject({
        company: 'other',
        userName: 'eve@other.test',
        active: true,
        permissions: { company: [], workspaces: [{ id: 'market', permissions: ['admin'] }] },
      });
      expect(await sessions.find({ user: id }).toArray()).toEqual([
        { _id: inviteId(token), user: id, expires: expect.any(Date), invite: true },
      ]);
    });

    it('of somebody who is there leaves the user and their session as they are, and ends earlier links', async () => {
      const { users, sessions } = servers.store.dashboard;
      const before = await users.findOne({ userName: 'eve@other.test' });
      const user = String(before?._id);
      await sessions.insertOne({ _id: 'of eve', user, expires: new Date(Date.now() + 1e6) });
      const { link, id } = await invited('"  EVE@other.test " --workspace market');
      expect(await users.find({ company: 'other' }).toArray()).toEqual([before]);
      const left = await sessions.distinct('_id', { user: id });
      expect(left.toSorted()).toEqual([inviteId(link.split('/').at(-1)), 'of eve'].toSorted());
    });

    it('keeps an address without the spaces around it', async () => {
      const { userName, id } = await invited('"  spaced@other.test " --company other');
      expect(userName).toBe('spaced@other.test');
      expect(await servers.store.dashboard.users.findOne({ _id: id })).toMatchObject({ userName });
      await roster('dashboard remove spaced@other.test --company other');
    });

    it('without a workspace is for all of the company', async () => {
      const { id } = await invited('mallory@other.test --company other');
      const user = await servers.store.dashboard.users.findOne({ _id: id });
      expect(user?.permissions?.company).toEqual(['admin']);
    });

    it.each([
      ['nobody', 2, 'no email address'],
      ['a@b.test --workspace attic', 3, `"id": "attic"`],
      ['a@b.test --workspace attic --company other', 3, 'has no workspace attic'],
      ['a@b.test', 2, 'Say which with --company'],
    ])('%s is refused, with what to do', async (line, code, problem) => {
      expect(await roster(`dashboard invite ${line}`)).toMatchObject({
        code,
        err: expect.stringContaining(problem),
      });
    });

    it('of somebody whom the identity provider has shut out is refused', async () => {
      const { users } = servers.store.dashboard;
      await users.updateOne({ userName: 'mallory@other.test' }, { $set: { active: false } });
      const { err } = await roster('dashboard invite mallory@other.test --company other');
      expect(err).toContain('is not active');
      await users.deleteMany({ company: 'other' });
    });

    it('says what is missing in the link where the address of the board is not known', async () => {
      const { out, err } = await roster('dashboard invite eve2@other.test --company other');
      expect(out).toContain('<address of the board>/invite/');
      expect(err).toContain('BOARD_URL');
    });
  });

  describe('the removal of a user', () => {
    const inOther = '--company other';

    it('ends sessions and invitations, and frees the name', async () => {
      const { users, claims, sessions } = servers.store.dashboard;
      const { id } = await json(`dashboard invite gone@other.test ${inOther}`);
      await sessions.insertOne({ _id: 'of gone', user: id, expires: new Date(Date.now() + 1e6) });
      const ended = await roster(`dashboard remove " GONE@other.test" ${inOther}`);
      expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/^removed: gone@other\.test /) });
      expect(ended.err).not.toContain('SCIM');
      for (const found of [
        users.findOne({ _id: id }),
        claims.findOne({ user: id }),
        sessions.findOne({ user: id }),
      ])
        expect(await found).toBeNull();
      expect((await json(`dashboard invite gone@other.test ${inOther}`)).id).not.toBe(id);
      expect((await roster(`dashboard remove nobody@other.test ${inOther}`)).code).toBe(3);
    });

    it('tells that an identity provider manages the user', async () => {
      const { id } = await json(`dashboard invite managed@other.test ${inOther}`);
      const change = { at: 1, by: 'scim:t1', what: 'user.changed', target: id, company: 'other' };
      await servers.store.transact((session) => servers.store.audit.append(session, change));
      const { err } = await roster(`dashboard remove managed@other.test ${inOther}`);
      expect(err).toContain('through SCIM. Remove the user there as well');
    });

    it('tells when nobody is left', async () => {
      await servers.store.dashboard.users.deleteMany({ userName: { $ne: 'gone@other.test' } });
      const { err } = await roster(`dashboard remove gone@other.test ${inOther}`);
      expect(err).toContain('That was the last dashboard user.');
    });
  });

  it('records all of it in the audit log, which is whole until a row is changed', async () => {
    const rows = await json('audit');
    expect(rows.map(({ what }: { what: string }) => what)).toEqual([
      'company.created',
      'company.changed',
      'scim_token.created',
      'scim_token.revoked',
      'company.created',
      'scim_token.created',
      'user.password_set',
      'user.created',
      'user.invited',
      'user.created',
      'user.deleted',
      'user.created',
      'user.created',
      ...['user.created', 'user.deleted', 'user.created', 'user.created', 'user.changed'],
      ...['user.deleted', 'user.deleted'],
    ]);
    expect(rows[0].by).toMatch(/^cli:/);
    expect((await json('audit --target u1')).length).toBe(1);
    expect((await roster('audit --limit 0')).code).toBe(2);
    expect((await roster('audit --verify')).out).toMatch(/^whole: 20 rows/);
    const audit = servers.store.db.collection('audit');
    await audit.updateOne({ what: 'scim_token.revoked' }, { $set: { by: 'cli:nobody' } });
    expect(await roster('audit --verify')).toMatchObject({
      code: 4,
      out: expect.stringContaining('broken at row 4'),
    });
  });
});
