import { newProfile } from '@roster/profile';
import { useServers } from '@roster/testkit';
import { Command } from 'commander';
import { type Act, addCommands } from './command.ts';
import { previewCommands } from './commands/sends-preview.ts';
import { settingsOf } from './local.ts';
import type { Asked, Preview } from './rendered.ts';
import type { Result } from './result.ts';
import { openServers } from './servers.ts';
import { anIo } from './test-io.ts';

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
  const preview = async (args: string[], written: Partial<Preview> = {}) => {
    const { io } = anIo({ env: { REDIS_URL: servers.redisUrl, MONGO_URL: servers.mongoUrl }, files });
    const [asked, results]: [Asked[], Result[]] = [[], []];
    const opened = openServers(settingsOf(io), {});
    const act: Act = async (work) => void results.push(await work({ io, servers: opened }));
    const family = new Command('sends').exitOverride();
    const commands = previewCommands(async (_, all) => {
      asked.push(...all);
      return all.map(({ channel, content }) => ({ ...nothing, channel, content, ...written }));
    });
    addCommands(family, commands, act);
    try {
      await family.parseAsync(args, { from: 'user' });
    } finally {
      await opened.close();
    }
    return { asked, result: results[0] };
  };

  it('asks for each message with the person, and shows what they would get', async () => {
    const { asked, result } = await preview(['preview', 'welcome.yaml', '--for', 'ada'], {
      text: 'Hello',
      links: ['https://example.com'],
    });
    expect(asked).toMatchObject([
      { ws: 'shop', person: 'p1', channel: 'email', content: { subject: 'Hi' } },
      { channel: 'sms' },
    ]);
    expect(result).toMatchObject({ exitCode: 0, notes: ['Nothing was sent.'] });
    expect(result?.text).toMatch(
      /^email: it would be sent\nto: ada@example\.com\n[\s\S]*subject: Hi\ntext: Hello\nlinks:\n {2}https/,
    );
    expect(result?.text).not.toContain('<p>');
  });

  it('takes the body of a request, and one channel if asked', async () => {
    expect((await preview(['preview', 'one.json', '--for', 'ada'])).asked).toMatchObject([
      { channel: 'email', recipients: { recipient_subscription_state: 'all' } },
    ]);
    const { asked } = await preview(['preview', 'welcome.yaml', '--for', 'ada', '--channel', 'sms']);
    expect(asked.map(({ channel }) => channel)).toEqual(['sms']);
  });

  it('says what is unknown, and why somebody would not get it', async () => {
    const { result } = await preview(['preview', 'one.json', '--for', 'ada'], {
      unknown: ['fist_name'],
      skipped: 'unsubscribed',
    });
    expect(result?.exitCode).toBe(1);
    expect(result?.text).toMatch(/skipped: unsubscribed[\s\S]*unknown, and written as nothing: fist_name/);
  });

  it.each([
    [['preview', 'typo.yaml', '--for', 'ada'], 'Did you mean email?'],
    [['preview', 'none.yaml', '--for', 'ada'], 'there is no file none.yaml'],
    [['preview', 's9', '--for', 'ada'], 'nothing is planned or sent as s9'],
    [['preview', 'welcome.yaml'], 'name one person'],
    [
      ['preview', 'one.json', '--for', 'ada', '--channel', 'sms'],
      'there is no message for sms; there is email',
    ],
    [
      ['test', 'welcome.yaml', '--for', 'ada', '--to', 'me@example.com'],
      'Add --channel with one of email, sms',
    ],
    [['test', 'one.json', '--for', 'ada', '--to', 'me@example.com'], 'has no credentials for email'],
  ])('says for %j what to do', async (args, text) => {
    await expect(preview(args)).rejects.toThrow(text);
  });
});
