import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeSettings, createDirectory, type Directory, parseKey } from '@roster/access';
import { newProfile } from '@roster/profile';
import { openConnection, requestId } from '@roster/queue';
import { openStore, type Store } from '@roster/store';
import { type TestServer, testMongo, testRedis, until } from '@roster/testkit';
import { Redis } from 'ioredis';
import { commands } from './program.ts';
import { run, runJson } from './test-io.ts';

const pepper = 'a pepper for tests only';
const files = {
  'shop.yaml': 'id: shop\nname: Shop\napps: [{ id: web, name: Web }]\ntags: [vip]\n',
  'long.yaml':
    'id: long\nsegments:\n  - id: one\n    name: One\n    audience:\n      custom_attribute: { custom_attribute_name: x, comparison: equals, value: 9007199254740993 }\n',
  'shop2.yaml': 'id: shop\nname: Shop\ntags: [vip, trial]\ntrack: { max_updates: 100 }\n',
  'shops.yaml': 'id: shops\ntags: [vip]\n',
  'bad.yaml': '- id: A\n  track: { max_updates: 5000 }\n- id: b\n  app: []\n- id: c\n- id: c\n',
};

describe('roster', () => {
  let servers: [TestServer, TestServer];
  let env: Record<string, string>;
  let redis: Redis;
  let store: Store;

  const roster = (line: string) => run(line, { env, files });
  const json = (line: string) => runJson(line, { env, files });

  const withoutSecret = (line: string) => {
    const { ROSTER_SECRET: _none, ...rest } = env;
    return run(line, { env: { ...rest, ROSTER_HOME: '/nowhere' } });
  };

  beforeAll(async () => {
    servers = [await testRedis(), await testMongo()];
    env = { REDIS_URL: servers[0].url, MONGO_URL: servers[1].url, ROSTER_SECRET: pepper };
    redis = new Redis(servers[0].url);
    store = await openStore({ url: servers[1].url, appName: 'test', patienceMs: 0 });
  });
  afterAll(async () => {
    redis.disconnect();
    await store.close();
    for (const server of servers) await server.close();
  });

  describe('by itself', () => {
    it.each(['--help', 'keys --help', 'keys create --help', 'dead --help', 'help workspace'])(
      'explains itself: %s',
      async (line) => {
        const { code, out, err } = await roster(line);
        expect([code, err]).toEqual([0, '']);
        expect(out).toContain('Usage: roster');
      },
    );

    it('shows examples, exit codes and where it finds its servers', async () => {
      const { out } = await roster('--help');
      expect(out).toMatch(/Examples:[\s\S]*Exit codes:/);
      expect(out).toContain('local.json');
      expect((await roster('keys list --help')).out).toContain('--json');
    });

    it('has an example of each command, and its page the same ones', async () => {
      const rows = Object.values(commands).map(({ about, example }) => `| \`${example}\` | ${about} |\n`);
      const page = readFileSync(join(__dirname, '../README.md'), 'utf8');
      expect(page).toContain(`|---|---|\n${rows.join('')}\n`);
    });

    it('calls itself as it was called', async () => {
      const { out } = await run('keys --help', { env: { npm_lifecycle_event: 'roster' } });
      expect(out).toContain('Usage: npm run -s roster -- keys');
      const create = await run('keys create --help', { env: { npm_lifecycle_event: 'roster' } });
      expect(create.out).toContain('$ npm run -s roster -- keys create');
      expect(create.out).not.toMatch(/[ "(]roster keys/);
      const { err } = await run('dead retry', { env: { ...env, npm_lifecycle_event: 'roster' }, files });
      expect(err).toContain('give ids ("npm run -s roster -- dead list" shows them)');
    });

    it.each([
      [{ npm_lifecycle_event: 'npx' }, 'npx roster'],
      [{ ROSTER_CALLED_AS: 'bin/roster' }, 'bin/roster'],
      [{}, 'roster'],
    ])('names other commands as it was called: %j', async (called, name) => {
      const { err } = await run('dead retry', { env: { ...env, ...called }, files });
      expect(err).toContain(`give ids ("${name} dead list" shows them)`);
    });

    it('does nothing without an option that npm took for its own', async () => {
      const npm = { ...env, npm_lifecycle_event: 'roster', npm_config_dry_run: 'true' };
      const { code, out, err } = await run('workspace apply shop.yaml', { env: npm, files });
      expect([code, out]).toEqual([2, '']);
      expect(err).toBe(
        'roster: npm took --dry-run for itself. Put "--" before the command: npm run -s roster -- workspace apply shop.yaml --dry-run\n',
      );
      const given = { ...npm, npm_config_dry_run: '', npm_config_workspace: 'shop' };
      const list = await run('keys list', { env: given, files });
      expect(list.err).toContain('npm run -s roster -- keys list --workspace shop');
    });

    it.each([
      ...['key', 'keys lst', 'keys list --jsn', 'keys create', ''],
      ...['zzz --help', '--help zzz', 'emigrate -h', 'keys zzz --help', '--json scim token zzz --help'],
    ])('exits 2 and says what to do for a wrong command: %j', async (line) => {
      const { code, out, err } = await roster(line);
      expect([code, out]).toEqual([2, '']);
      expect(err).not.toBe('');
    });

    it.each([
      'redis://me:secret@127.0.0.1:1',
      'redis+sentinel://me:secret@127.0.0.1:1/roster?sentinelPassword=secret',
    ])('exits 1 and says what to do when a server is away: %s', async (url) => {
      const away = { ...env, REDIS_URL: url };
      const { code, err } = await run('dead list', { env: away });
      expect(code).toBe(1);
      expect(err).toMatch(/^roster: Redis at 127\.0\.0\.1:1 does not answer .*npm start.*REDIS_URL/);
      expect(err).not.toContain('secret');
    });

    it('exits 2 and names every wrong variable', async () => {
      const { code, err } = await run('dead list', { env: { REDIS_URL: 'x', TRACK_PARTITIONS: 'y' } });
      expect([code, err]).toEqual([2, expect.stringMatching(/REDIS_URL[\s\S]*TRACK_PARTITIONS/)]);
    });
  });

  describe('workspace', () => {
    it('changes nothing in a dry run', async () => {
      const { code, out, err } = await roster('workspace apply shop.yaml --dry-run');
      expect([code, out]).toEqual([0, 'workspace shop: created\n']);
      expect(err).toContain('dry run');
      expect(await store.workspaces.get('shop')).toBeFalsy();
    });

    it('applies a file, says what changed, and nothing the second time', async () => {
      expect((await roster('workspace apply shop.yaml')).out).toBe('workspace shop: created\n');
      expect((await roster('workspace apply shop.yaml')).out).toBe('workspace shop: unchanged\n');
      const second = await roster('workspace apply shops.yaml --dry-run');
      expect(second.err).toMatch(
        /^shops is a new workspace\. If you mean shop, correct the id in the file\./,
      );
      const added = await roster('workspace apply shop2.yaml');
      expect(added.out).toBe(
        [
          'workspace shop: changed',
          '  tags: + trial',
          '  track.max_updates: 50 -> 100',
          '  not in the file, so it was kept; --prune would make it:',
          '    apps: - web\n',
        ].join('\n'),
      );
      expect(added.err).toContain('--prune');
      expect(await json('workspace apply shop2.yaml')).toEqual({
        applied: true,
        workspaces: [{ id: 'shop', change: 'unchanged', differences: [], kept: ['apps: - web'] }],
      });
    });

    it('removes what the file leaves out only with --prune, and lists it', async () => {
      const pruned = await roster('workspace apply shop2.yaml --prune');
      expect([pruned.out, pruned.err]).toEqual(['workspace shop: changed\n  apps: - web\n', '']);
    });

    it('applies nothing of a file when it is too much together with what is stored', async () => {
      const filter = '{ custom_attribute: { custom_attribute_name: x, comparison: exists } }';
      const segments = (from: number) =>
        Array.from({ length: 60 }, (_, at) => `{ id: s${from + at}, name: S, audience: ${filter} }`).join();
      const apply = (from: number, more = '') =>
        run('workspace apply many.yaml', {
          env,
          files: { 'many.yaml': `id: long\nsegments: [${segments(from)}]\n${more}` },
        });
      expect((await apply(0)).code).toBe(0);
      const { code, err } = await apply(60, '---\nid: another\n');
      expect([code, err]).toEqual([2, expect.stringContaining('at most 100 segments')]);
      expect(await store.workspaces.get('another')).toBeFalsy();
    });

    it('keeps the digits of whole numbers', async () => {
      await roster('workspace apply long.yaml --prune');
      expect((await roster('workspace apply long.yaml')).out).toBe('workspace long: unchanged\n');
      for (const how of ['', '--json'])
        expect((await roster(`workspace show long ${how}`)).out).toMatch(/"?value"?: 9007199254740993\n/);
      const custom = (v: bigint) => [{ k: 'x', v, at: 1 }];
      await store.profiles.insertMany([
        { ...newProfile('l1', 'long', 1), custom: custom(9_007_199_254_740_993n) },
        { ...newProfile('l2', 'long', 1), custom: custom(9_007_199_254_740_995n) },
      ]);
      expect(await json('segment count one --workspace long')).toEqual({ id: 'one', people: 1 });
    });

    it('reaches the serving copy', async () => {
      expect(JSON.parse((await redis.hget('roster:workspaces', 'shop')) ?? '').track.max_updates).toBe(100);
    });

    it('refuses a wrong file with everything that is wrong', async () => {
      const { code, err } = await roster('workspace apply bad.yaml');
      expect([code, ...err.split('\n')]).toEqual([
        2,
        'roster: bad.yaml cannot be applied; nothing was changed:',
        '  - workspace A: id must be lower-case letters, digits and -, at most 40',
        expect.stringContaining('  - workspace A: track.max_updates must be'),
        `  - workspace b: app is not a setting; there are ${Object.keys(completeSettings({ id: 'b' })).join(', ')}`,
        '  - workspace c: is there more than once',
        '',
      ]);
    });

    it.each<[text: string | undefined, sentence: RegExp]>([
      [undefined, /^roster: there is no file wrong\.yaml\.$/m],
      ['id: [a\n', /^roster: wrong\.yaml is not YAML or JSON:\n.*line/s],
      ['', /there is no workspace in it/],
      ['---\n', /there is no workspace in it/],
      ['[]', /there is no workspace in it/],
    ])('refuses the file %j', async (text, sentence) => {
      const given = text === undefined ? {} : { 'wrong.yaml': text };
      const wrong = { code: 2, err: expect.stringMatching(sentence) };
      expect(await run('workspace apply wrong.yaml', { env, files: given })).toMatchObject(wrong);
    });

    it('lists and shows; what it shows can be applied', async () => {
      expect((await roster('workspace list')).out).toMatch(/^ID +NAME[\s\S]*\nshop +Shop +0 +0 +2 +0\n/);
      const { out } = await roster('workspace show shop');
      const again = await run('workspace apply again.yaml', { env, files: { 'again.yaml': out } });
      expect(again.out).toBe('workspace shop: unchanged\n');
      expect(await json('workspace show shop')).toEqual(await store.workspaces.get('shop'));
    });

    it('is named by --workspace or ROSTER_WORKSPACE where there are several', async () => {
      const { code, err } = await roster('segment list');
      expect(code).toBe(2);
      expect(err).toContain(
        'several workspaces: long, shop. Pass --workspace <id>, or set ROSTER_WORKSPACE.',
      );
      const segments = async (ROSTER_WORKSPACE: string, more = '') => {
        const list = await run(`segment list ${more}`, { env: { ...env, ROSTER_WORKSPACE } });
        return [list.code, list.out.includes('one')];
      };
      expect(await segments('long')).toEqual([0, true]);
      expect(await segments('long', '--workspace shop')).toEqual([0, false]);
      expect(await segments('lnog')).toEqual([3, false]);
      expect(await segments('')).toEqual([2, false]);
    });

    it('exits 3 and suggests for one that is not there', async () => {
      const { code, err } = await roster('workspace show shpo');
      expect(code).toBe(3);
      expect(err).toContain('Did you mean shop?');
    });
  });

  describe('keys', () => {
    let directory: Directory;
    beforeAll(async () => {
      directory = createDirectory({
        reader: openConnection('producer', servers[0].url),
        subscriber: openConnection('subscriber', servers[0].url),
        pepper,
      });
      await directory.settled();
    });
    afterAll(() => directory.close());

    const create = (more: string) => roster(`keys create --workspace shop --name backend ${more}`);

    it.each(['', '--json'])('tells how to revoke a key that could not be shown (%s)', async (flag) => {
      const root = join(__dirname, '../../..');
      const line = `keys create --workspace shop --name unseen --permission users.track ${flag}`;
      for (const shell of [`bin/roster ${line} > /dev/full`, `node bundle/roster.js ${line} >&-`]) {
        const { status, stderr } = spawnSync('/bin/sh', ['-c', shell], {
          cwd: root,
          encoding: 'utf8',
          env: { ...process.env, ...env },
        });
        const [, id = ''] = /Revoke it: "\S*roster keys revoke (\w+)"/.exec(stderr) ?? [];
        expect([status, stderr]).toEqual([1, expect.stringContaining('the result could not be shown')]);
        expect((await roster(`keys revoke ${id}`)).out).toBe(`key ${id} ("unseen") is revoked\n`);
      }
    });
    const enters = async (key: string) => (await directory.authenticate(`Bearer ${key}`, '10.0.0.1')).ok;

    it('makes a key that works, shown alone and once', async () => {
      const { code, out, err } = await create('--permission users.track --permission users.export.ids');
      expect(code).toBe(0);
      const id = parseKey(out.trim())?.id ?? '';
      expect(await store.keys.get(id)).toMatchObject({
        ws: 'shop',
        permissions: ['users.track', 'users.export.ids'],
      });
      expect(err).toMatch(/shown this once/);
      expect(await enters(out.trim())).toBe(true);
      const list = await roster('keys list');
      expect(list.out).toContain(id);
      expect(list.out).not.toContain(parseKey(out.trim())?.secret);
      expect(await json('keys list')).not.toContainEqual(
        expect.objectContaining({ hash: expect.anything() }),
      );
    });

    it('ends a key at once, and says so twice', async () => {
      const { key, id } = await json('keys create --workspace shop --name x --permission *');
      expect(await enters(key)).toBe(true);
      expect((await roster(`keys revoke ${id}`)).out).toBe(`key ${id} ("x") is revoked\n`);
      await until(async () => !(await enters(key)));
      expect((await roster(`keys revoke ${key}`)).out).toContain('had been revoked');
      expect((await roster('keys list')).out).toMatch(new RegExp(`${id} .* revoked 2026-11-21`));
      expect((await roster('keys revoke nobody')).code).toBe(3);
    });

    it('says everything that is wrong at once, and makes nothing', async () => {
      const before = (await store.keys.list()).length;
      const wrong = '--permission user.track --permission zzzzzz --ip 10.0.0 --expires soon';
      const { code, out, err } = await create(wrong);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/no permission user\.track; did you mean users\.track/);
      expect(err).toMatch(
        /no permission zzzzzz; "roster keys permissions"[\s\S]*--ip 10\.0\.0 [\s\S]*--expires soon/,
      );
      expect((await create('')).err).toContain('needs a --permission');
      expect((await create('--permission * --expires 2020-01-01')).err).toContain('already over');
      expect((await store.keys.list()).length).toBe(before);
    });

    it('takes addresses and an expiry', async () => {
      const created = await json(
        'keys create --workspace shop --name x --permission * --ip 10.0.0.0/8,192.0.2.1 --expires 90d',
      );
      expect(created).toMatchObject({
        ips: ['10.0.0.0/8', '192.0.2.1'],
        expires: '2027-02-19T12:00:00.000Z',
      });
    });

    it('needs a workspace that is there, and a secret', async () => {
      expect((await roster('keys create --workspace x --name n --permission *')).code).toBe(3);
      expect(await withoutSecret('keys create --workspace shop --name n --permission *')).toMatchObject({
        code: 2,
        err: expect.stringContaining('ROSTER_SECRET is not set'),
      });
    });

    it('keeps a key in MongoDB and shows it, when Redis is away', async () => {
      const away = { ...env, REDIS_URL: 'redis://127.0.0.1:1' };
      const { code, err } = await run('keys create --workspace shop --name late --permission *', {
        env: away,
      });
      expect([code, err]).toEqual([1, expect.stringContaining('roster access publish')]);
      const key = /rk_\w+/.exec(err.split('this once: ')[1] ?? '')?.[0] ?? '';
      expect(await store.keys.get(parseKey(key)?.id ?? '')).toBeTruthy();
      await roster('access publish');
      expect(await enters(key)).toBe(true);
    });
  });

  describe('request show', () => {
    const at = 1_795_262_400_000_000;
    const aMark = (changes = {}) => ({
      _id: 'r1-aaaaaaaa',
      ws: 'shop',
      op: 'users.track',
      at,
      state: 'applied' as const,
      applied: new Date('2026-11-21T12:00:00.014Z'),
      entries: { attributes: ['created'], events: ['updated*49', 'ignored:no_such_user'] },
      expires: new Date('2027-01-01'),
      ...changes,
    });

    it('says what became of each entry', async () => {
      await store.requests.insertOne(aMark());
      expect((await roster('request show r1-aaaaaaaa')).out).toBe(
        [
          'request r1-aaaaaaaa: applied',
          'workspace: shop',
          'operation: users.track',
          'accepted: 2026-11-21T12:00:00.000Z',
          'applied: 2026-11-21T12:00:00.014Z',
          'attributes: 1 created',
          'events: 49 updated, 1 ignored (no_such_user)\n',
        ].join('\n'),
      );
      const { entries } = await json('request show r1-aaaaaaaa');
      expect(entries.events).toHaveLength(50);
      expect(entries.events[49]).toEqual({ result: 'ignored', reason: 'no_such_user' });
    });

    it('says why one failed, and what to do', async () => {
      const { entries: _none, ...mark } = aMark({ _id: 'r2-bbbbbbbb', state: 'failed', reason: 'BAD_VALUE' });
      await store.requests.insertOne({
        ...mark,
        notes: [{ input_array: 'events', index: 2, field: 'x', reason: 'odd' }],
      });
      const { code, out, err } = await roster('request show r2-bbbbbbbb');
      expect(code).toBe(0);
      expect(out).toMatch(/: failed\n[\s\S]*reason: BAD_VALUE\nevents\[2\]\.x: odd\n$/);
      expect(err).toContain('roster dead retry');
    });

    it('knows an id that was given and has no outcome yet', async () => {
      const id = requestId(pepper, 'shop', at);
      expect(await json(`request show ${id}`)).toEqual({
        workspace: 'shop',
        request_id: id,
        state: 'queued',
        accepted_at: '2026-11-21T12:00:00.000Z',
      });
    });

    it('exits 3 for an invented id, and when it can not tell', async () => {
      expect((await roster(`request show r${at.toString(36)}-00000000`)).code).toBe(3);
      expect((await withoutSecret(`request show ${requestId(pepper, 'shop', at)}`)).code).toBe(3);
    });
  });

  describe('migrate', () => {
    it('says what is missing and why it is needed, and exits 4', async () => {
      const { code, out, err } = await roster('migrate --check');
      expect(code).toBe(4);
      expect(out).toMatch(/^missing +profiles\.by_email \(ws, email_key\): /m);
      expect(err).toContain('"roster migrate" makes');
    });

    it('makes what is missing, once and again', async () => {
      for (let time = 0; time < 2; time++)
        expect(await roster('migrate')).toEqual({
          code: 0,
          out: 'every index that is needed is there\n',
          err: '',
        });
      expect((await json('migrate --check')).right).toBe(true);
    });

    it('names one that is not ours, without calling it wrong, and removes it when it is told so', async () => {
      await store.sweeps.createIndex({ stranger: 1 }, { name: 'stranger' });
      const { code, out, err } = await roster('migrate');
      expect(code).toBe(0);
      expect(out).toContain('extra      sweeps.stranger');
      expect(err).toContain('--prune');
      expect((await roster('migrate --prune')).out).toMatch(/^removed +sweeps\.stranger$/m);
      expect((await json('migrate --check')).extra).toEqual([]);
    });

    it('leaves one that differs to a person', async () => {
      await store.profiles.dropIndex('by_email');
      await store.profiles.createIndex({ email: 1 }, { name: 'by_email' });
      const { code, out, err } = await roster('migrate');
      expect(code).toBe(4);
      expect(out).toContain('different  profiles.by_email');
      expect(err).toContain('dropIndex');
    });
  });

  it('rebuilds the serving copy', async () => {
    await redis.del('roster:keys', 'roster:workspaces');
    await store.workspaces.put(completeSettings({ id: 'other' }));
    const { changed } = await json('access publish');
    expect(changed.workspaces).toBe(3);
    expect(await redis.hkeys('roster:workspaces')).toEqual(expect.arrayContaining(['shop', 'other']));
    expect((await roster('access publish')).out).toBe('put right: 0 keys, 0 workspaces\n');
  });
});
