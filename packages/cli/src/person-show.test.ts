import { newProfile, withSaid } from '@roster/profile';
import { anEvent, aSend, useServers } from '@roster/testkit';
import { run, runJson } from './test-io.ts';

describe('roster person show', () => {
  const world = () => ({ env: { MONGO_URL: servers.mongoUrl } });
  const roster = (line: string) => run(`person show ${line}`, world());
  const json = (line: string) => runJson(`person show ${line}`, world());

  const ada = 'a'.repeat(24);
  const time = (day: number) => new Date(Date.UTC(2026, 0, day));

  const servers = useServers(async ({ store }) => {
    await store.workspaces.put({ id: 'shop', name: 'Shop' });
    const email = { email_key: 'ada@example.com', fields: { email: { v: 'Ada@example.com', at: 1 } } };
    await store.profiles.insertMany([
      {
        ...newProfile(ada, 'shop', 1),
        ...email,
        external_id: 'ada',
        phone_key: '+4915112345678',
        custom: [{ k: 'plan', v: 'gold', at: 1 }],
        consents: withSaid(
          withSaid([], 'push', { v: 'opted_in', at: 3e6 }, { v: 'opted_in', at: 9e9 }),
          'group:news',
          { v: 'unsubscribed', at: 1e6 },
          { v: 'subscribed', at: 2e6, op: 'users.track' },
          // The profile is saved again, with what is so already.
          { v: 'subscribed', at: 9e9, op: 'users.track' },
        ),
      },
      { ...newProfile('b'.repeat(24), 'shop', 1), ...email },
    ]);
    await store.identities.insertMany([
      { _id: 'shop:e:ada', profile: ada, at: 1 },
      { _id: 'shop:a:3:crm:17', profile: ada, at: 1 },
    ]);
    await store.events.insert(
      [1, 2, 3].map((day) => {
        const properties = '{"n":9007199254740993}';
        return anEvent(ada, { index: day, ws: 'shop', time: time(day), name: `day ${day}`, properties });
      }),
    );
    await store.messages.sends.insertMany(
      [1, 2].map((day) => {
        const delivery = { _id: `d${day}/email`, ws: 'shop', channel: 'email' as const };
        const state = day === 1 ? { outbox: '{}' } : { state: 'skipped' as const, reason: 'unsubscribed' };
        return aSend(ada, delivery, { ...state, at: time(day) });
      }),
    );
  });

  it('shows the profile, groups, consent, events and messages, the newest first', async () => {
    const { code, out, err } = await roster('ada');
    expect(code).toBe(0);
    expect(out).toMatch(/^external_id: ada\n[\s\S]*email: Ada@example\.com/);
    expect(out).toMatch(/attributes\n {2}plan: gold\nsubscription groups\n.*\n {2}news +subscribed/);
    expect(out).toMatch(/group:news +unsubscribed +subscribed/);
    expect(out).toMatch(/day 3 +\{"n":9007199254740993\}[\s\S]*day 2[\s\S]*day 1/);
    expect(out).toMatch(new RegExp(`d2/email/${ada} +unsubscribed[\\s\\S]*stored +d1/email`));
    expect(err).toBe('"roster sends show <id>" shows a message.\n');
  });

  it('says since when a state stands, not when it was last saved', async () => {
    const since = new Date(2000).toISOString();
    expect((await roster('ada')).out).toMatch(new RegExp(`news +subscribed +${since}\n`));
    expect((await json('ada')).profile.subscription_groups).toEqual([
      { id: 'news', state: 'subscribed', since },
    ]);
    expect((await json('ada')).profile.push_opted_in_at).toBe(new Date(3000).toISOString());
  });

  it('shows so many of each as asked for', async () => {
    const { events, sends } = await json('ada --most 1');
    expect([events, sends]).toMatchObject([[{ name: 'day 3' }], [{ id: `d2/email/${ada}` }]]);
  });

  it.each([ada, '--alias crm:17', '--phone "+49 151 12345678"'])('finds by %s', async (line) => {
    expect((await json(line)).profile.external_id).toBe('ada');
  });

  it.each<[string, number, string]>([
    ['aad', 3, 'no person in workspace shop has the external id aad'],
    ['adda', 3, 'Did you mean ada?'],
    ['--email ADA@example.com', 2, `several people have the email ADA@example.com: ada, ${'b'.repeat(24)}`],
    ['--alias crm', 2, '--alias must be <label>:<name>'],
    ['--alias crm:18', 3, 'alias crm:18'],
    ['--phone ada', 2, '--phone must be a phone number'],
    ['', 2, 'name one person'],
    ['ada --alias crm:17', 2, 'name one person'],
  ])('says for %j what to do', async (line, code, text) => {
    expect(await roster(line)).toMatchObject({ code, err: expect.stringContaining(text) });
  });
});
