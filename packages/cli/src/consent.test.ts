import { newProfile, withSaid } from '@roster/profile';
import { requestId } from '@roster/queue';
import { useServers } from '@roster/testkit';
import { run } from './test-io.ts';

describe('roster consent', () => {
  const secret = 'a secret of this test';
  const roster = (line: string, more: object = { ROSTER_SECRET: secret }) =>
    run(`consent ${line}`, { env: { MONGO_URL: servers.mongoUrl, ...more } });

  const newYear = Date.UTC(2026, 0, 1) * 1000;
  const [first, second] = [newYear, newYear + 1_000_000].map((at) => requestId(secret, 'shop', at));

  const servers = useServers(async ({ store }) => {
    await store.workspaces.put({ id: 'shop', name: 'Shop' });
    await store.profiles.insertOne({
      ...newProfile('p1', 'shop', 1),
      consents: withSaid(
        [],
        'group:news',
        { v: 'subscribed', at: newYear, op: 'users.track' },
        { v: 'unsubscribed', at: newYear + 1_000_000, op: 'users.track' },
      ),
    });
    await store.identities.insertOne({ _id: 'shop:e:ada', profile: 'p1', at: 1 });
    await store.identities.insertOne({ _id: 'shop:e:bob', profile: 'p2', at: 1 });
  });
  const { store } = servers;

  it('shows every change as a table, newest first', async () => {
    const { code, out } = await roster('ada');
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ACCEPTED', 'CONSENT', 'FROM', 'TO', 'OPERATION', 'REQUEST'],
      ['2026-01-01T00:00:01.000Z', 'group:news', 'subscribed', 'unsubscribed', 'users.track', second],
      ['2026-01-01T00:00:00.000Z', 'group:news', '-', 'subscribed', 'users.track', first],
      [''],
    ]);
  });

  it('gives the same with --json', async () => {
    const { out } = await roster('ada --workspace shop --json');
    expect(JSON.parse(out)).toMatchObject({
      workspace: 'shop',
      changes: [{ to: 'unsubscribed', request_id: second }, { to: 'subscribed' }],
    });
  });

  it('shows the proof of an erased person, or that it takes the secret to find it', async () => {
    const at = Date.UTC(2026, 0, 2) * 1000;
    const history = [{ k: 'email', from: null, to: 'subscribed' as const, at, n: 0 }];
    await store.transact((session) =>
      store.consentHistory.prove(session, [{ ws: 'shop', profiles: ['p3'], keys: ['shop:e:zoe'], history }]),
    );
    const then = expect.stringContaining('2026-01-02T00:00:00.000Z');
    expect(await roster('zoe')).toMatchObject({ code: 0, out: then });
    const blind = await roster('zoe', {});
    expect(blind).toMatchObject({ code: 3, err: expect.stringContaining('ROSTER_SECRET') });
    expect(blind.err).not.toContain('no proof is kept');
    expect((await roster('ada', {})).code).toBe(0);
    expect((await roster('eve')).err).toContain('no proof is kept');
  });

  it('exits 3 for an unknown person, 2 when the workspace is unclear', async () => {
    expect(await roster('eve')).toMatchObject({ code: 3 });
    await store.workspaces.put({ id: 'other', name: 'Other' });
    expect(await roster('ada')).toMatchObject({ code: 2, err: expect.stringContaining('--workspace') });
  });
});
