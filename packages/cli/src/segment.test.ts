import { useServers } from '@roster/testkit';
import { runCommand } from './program.ts';
import { anIo, run } from './test-io.ts';

const at = Date.UTC(2026, 0, 1) * 1000;

describe('roster segment', () => {
  const roster = (...args: string[]) => run(['segment', ...args], { env: { MONGO_URL: servers.mongoUrl } });

  const person = (name: string, plan: string, email?: string) => ({
    _id: `id-${name}`,
    ws: 'shop',
    external_id: name,
    fields: email === undefined ? {} : { email: { v: email, at } },
    lists: {},
    consents: [],
    custom: [{ k: 'plan', v: plan, at }],
    created_at: at,
    updated_at: at,
  });

  const servers = useServers(async ({ store }) => {
    const plan = (comparison: string, value: string) => ({
      custom_attribute: { custom_attribute_name: 'plan', comparison, value },
    });
    await store.workspaces.put({
      id: 'shop',
      name: 'Shop',
      segments: [
        { id: 'gold', name: 'Gold members', audience: plan('equals', 'gold') },
        { id: 'metals', name: 'Any metal', audience: plan('matches_regex', '^(gold|silver)$') },
      ],
    });
    await store.profiles.insertMany([
      person('ada', 'gold', 'ada@example.com'),
      person('bob', 'silver'),
      person('eve', 'none'),
    ]);
  });

  it('lists the segments', async () => {
    const { code, out } = await roster('list');
    expect(code).toBe(0);
    expect(out).toMatch(/^ID +NAME\ngold +Gold members\nmetals +Any metal\n$/);
  });

  it('counts the people of a segment', async () => {
    expect(await roster('count', 'gold')).toMatchObject({ code: 0, out: '1 person\n' });
    expect(await roster('count', 'metals')).toMatchObject({ code: 0, out: '2 people\n' });
  });

  it('shows some of them', async () => {
    const { out } = await roster('sample', 'metals');
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['SERVICE ID', 'EXTERNAL ID', 'EMAIL'],
      ['id-ada', 'ada', 'ada@example.com'],
      ['id-bob', 'bob', '-'],
      [''],
    ]);
    expect((await roster('sample', 'metals', '--people', '1')).out).not.toContain('bob');
  });

  it('names the segment that was meant', async () => {
    expect(await roster('count', 'golf')).toMatchObject({
      code: 3,
      err: 'roster: the workspace shop has no segment golf. Did you mean gold?\n',
    });
  });

  it('knows of no segments in settings from before there were any', async () => {
    await servers.store.workspaces.put({
      id: 'old',
      name: 'Old',
      apps: [],
      tags: [],
      subscription_groups: [],
    });
    expect(await roster('list', '--workspace', 'old')).toMatchObject({ code: 0, out: 'ID  NAME\n' });
    const world = anIo({ env: { MONGO_URL: servers.mongoUrl } });
    expect(await runCommand(['workspace', 'list'], world.io)).toBe(0);
    expect(world.out()).toMatch(/^old +Old +0 +0 +0 +0$/m);
  });
});
