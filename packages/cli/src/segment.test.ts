import { newProfile } from '@roster/profile';
import { useServers } from '@roster/testkit';
import { run } from './test-io.ts';

const at = Date.UTC(2026, 0, 1) * 1000;

describe('roster segment', () => {
  const roster = (line: string) => run(line, { env: { MONGO_URL: servers.mongoUrl } });

  const person = (name: string, plan: string, email?: string) => ({
    ...newProfile(`id-${name}`, 'shop', at),
    external_id: name,
    fields: email === undefined ? {} : { email: { v: email, at } },
    custom: [{ k: 'plan', v: plan, at }],
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
    const out = expect.stringMatching(/^ID +NAME\ngold +Gold members\nmetals +Any metal\n$/);
    expect(await roster('segment list')).toMatchObject({ code: 0, out });
  });

  it('counts the people of a segment', async () => {
    expect(await roster('segment count gold')).toMatchObject({ code: 0, out: '1 person\n' });
    expect(await roster('segment count metals')).toMatchObject({ code: 0, out: '2 people\n' });
  });

  it('shows some of them', async () => {
    const { out } = await roster('segment sample metals');
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['SERVICE ID', 'EXTERNAL ID', 'EMAIL'],
      ['id-ada', 'ada', 'ada@example.com'],
      ['id-bob', 'bob', '-'],
      [''],
    ]);
    expect((await roster('segment sample metals --people 1')).out).not.toContain('bob');
  });

  it('names the segment that was meant', async () => {
    expect(await roster('segment count golf')).toMatchObject({
      code: 3,
      err: 'roster: the workspace shop has no segment golf. Did you mean gold?\n',
    });
  });

  it('knows of no segments in settings from before there were any', async () => {
    const old = { id: 'old', name: 'Old', apps: [], tags: [], subscription_groups: [] };
    await servers.store.workspaces.put(old);
    expect(await roster('segment list --workspace old')).toMatchObject({ code: 0, out: 'ID  NAME\n' });
    const out = expect.stringMatching(/^old +Old +0 +0 +0 +0$/m);
    expect(await roster('workspace list')).toMatchObject({ code: 0, out });
  });
});
