import { newProfile } from '@roster/profile';
import { useServers } from '@roster/testkit';
import type { Asked, Preview } from './preview.ts';
import { run } from './test-io.ts';

const files = {
  'welcome.yaml': 'email: { app_id: shop, subject: Hi, body: <p>Hello</p> }\nsms: { body: Hi }\n',
  'one.json': '{"messages":{"email":{"app_id":"shop","subject":"Hi"}},"recipient_subscription_state":"all"}',
  'typo.yaml': 'emial: { subject: Hi }\n',
};

const nothing = { to: ['ada@example.com'], links: [], unknown: [] };

describe('roster sends preview', () => {
  const servers = useServers(async ({ store }) => {
    await store.workspaces.put({ id: 'shop', name: 'Shop', apps: [{ id: 'shop', name: 'Shop' }] });
    await store.profiles.insertOne({ ...newProfile('p1', 'shop', 1), external_id: 'ada' });
    await store.identities.insertOne({ _id: 'shop:e:ada', profile: 'p1', at: 1 });
  });

  /** What the sender would write is this. */
  const roster = async (line: string, written: Partial<Preview> = {}) => {
    const asked: Asked[] = [];
    const said = await run(`sends ${line}`, {
      env: { REDIS_URL: servers.redisUrl, MONGO_URL: servers.mongoUrl },
      files,
      async render(all) {
        asked.push(...all);
        return all.map(({ channel, content }) => ({ ...nothing, channel, content, ...written }));
      },
    });
    return { asked, ...said };
  };

  it('asks for each message with the person, and shows what they would get', async () => {
    const { asked, code, out, err } = await roster('preview welcome.yaml --for ada', {
      text: 'Hello',
      links: ['https://example.com'],
    });
    expect(asked).toMatchObject([
      { ws: 'shop', person: 'p1', channel: 'email', content: { subject: 'Hi' } },
      { channel: 'sms' },
    ]);
    expect([code, err]).toEqual([0, 'Nothing was sent.\n']);
    expect(out).toMatch(
      /^email: it would be sent\nto: ada@example\.com\n[\s\S]*subject: Hi\ntext: Hello\nlinks:\n {2}https/,
    );
    expect(out).not.toContain('<p>');
  });

  it('takes the body of a request, and one channel if asked', async () => {
    expect((await roster('preview one.json --for ada')).asked).toMatchObject([
      { channel: 'email', recipients: { recipient_subscription_state: 'all' } },
    ]);
    const { asked } = await roster('preview welcome.yaml --for ada --channel sms');
    expect(asked.map(({ channel }) => channel)).toEqual(['sms']);
  });

  it('says what is unknown, and why somebody would not get it', async () => {
    const { code, out } = await roster('preview one.json --for ada', {
      unknown: ['fist_name'],
      skipped: 'unsubscribed',
    });
    expect(code).toBe(1);
    expect(out).toMatch(/skipped: unsubscribed[\s\S]*unknown, and written as nothing: fist_name/);
  });

  it.each([
    ['preview typo.yaml --for ada', 2, 'Did you mean email?'],
    ['preview none.yaml --for ada', 2, 'there is no file none.yaml'],
    ['preview s9 --for ada', 3, 'nothing is planned or sent as s9'],
    ['preview welcome.yaml', 2, 'name one person'],
    ['preview one.json --for ada --channel sms', 2, 'there is no message for sms; there is email'],
    ['test welcome.yaml --for ada --to me@example.com', 2, 'Add --channel with one of email, sms'],
    ['test one.json --for ada --to me@example.com', 3, 'has no credentials for email'],
  ])('%s ends with %d', async (line, code, text) => {
    expect(await roster(line)).toMatchObject({ code, err: expect.stringContaining(text) });
  });
});
