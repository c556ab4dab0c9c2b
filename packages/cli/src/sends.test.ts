import { createServer } from 'node:net';
import { createPhoneUrls } from '@roster/channels';
import { newProfile } from '@roster/profile';
import type { ScheduleDocument } from '@roster/store';
import { aDelivery, aSend, listening, noCounts, usePeer, useServers } from '@roster/testkit';
import { run } from './test-io.ts';

const roster = (line: string) => run(line, { env: { MONGO_URL: servers.mongoUrl } });

const servers = useServers(async ({ store }) => {
  await store.workspaces.put({
    id: 'shop',
    name: 'Shop',
    apps: [
      { id: 'app', name: 'App' },
      { id: 'texts', name: 'Texts', channels: { sms: { provider: { env: 'ROSTER_CREDENTIAL_SMS' } } } },
      { id: 'mail', name: 'Mail', channels: { email: { smtp: { env: 'ROSTER_CREDENTIAL_SMTP' } } } },
      {
        id: 'phone',
        name: 'Phone',
        channels: {
          ios_push: {
            key: { env: 'ROSTER_CREDENTIAL_APNS' },
            key_id: 'ABC123DEFG',
            team_id: 'DEF123GHIJ',
            topic: 'com.example.shop',
          },
        },
      },
    ],
    messaging: { webhook_private_hosts: true },
  });
});
const { store } = servers;

describe('roster sends', () => {
  beforeAll(async () => {
    const at = new Date('2026-01-31T12:00:00Z');
    const delivery = aDelivery({
      ...{ _id: 'd1/email', ws: 'shop', channel: 'email', dispatch: 'd1' },
      ...{ read: true, counts: { ...noCounts, sent: 3, skipped: 3 }, kept: 2, began: at, ended: at },
    });
    await store.messages.deliveries.insertOne(delivery);
    const kept = { to: 'ada@example.com', subject: 'Hello', body: '<p>Hi\nAda</p>' };
    await store.messages.sends.insertMany([
      aSend('ada', delivery, { outbox: JSON.stringify(kept) }),
      aSend('bob', delivery, { state: 'skipped', reason: 'unsubscribed' }),
      aSend('cleo', delivery, { stored: true }),
      aSend('dora', delivery),
      ...['shop:e:nobody', 'shop:a:3:crm:a:7'].map((named, place) => ({
        ...aSend('', delivery, { state: 'skipped', reason: 'unknown', named }),
        _id: `d1/email/~00${place}`,
      })),
    ]);
    await store.profiles.insertOne({ ...newProfile('ada', 'shop', 1), external_id: 'ada-1815' });
  });

  it('lists deliveries with their counts: what is stored is not sent', async () => {
    const { code, out } = await roster('sends list');
    expect(code).toBe(0);
    expect(out).toMatch(/^DISPATCH +CHANNEL +BEGAN +ENDED +WAITING/);
    expect(out).toContain(' SENT  STORED  REFUSED ');
    expect(out).toMatch(/\nd1 +email +2026-01-31T12:00:00.000Z .* 0 +0 +1 +2 +0 +3 +0\n$/);
  });

  it('lists the recipients of a dispatch, of one state if asked', async () => {
    expect((await roster('sends list --dispatch d1')).out).toMatch(
      /ada +ada-1815 +stored .*\n.*bob +bob +skipped .* unsubscribed\n.*cleo +stored .*\n.*dora +sent /,
    );
    const { out } = await roster('sends list --dispatch d1 --state skipped --json');
    expect(JSON.parse(out)).toEqual([
      expect.objectContaining({ id: 'd1/email/bob', reason: 'unsubscribed', state: 'skipped' }),
      expect.objectContaining({ person: 'nobody', reason: 'unknown' }),
      expect.objectContaining({ person: 'crm:a:7', reason: 'unknown' }),
    ]);
  });

  it.each([
    ['stored', ['ada', 'cleo']],
    ['sent', ['dora']],
  ])('lists those who are %s', async (state, people) => {
    const { out } = await roster(`sends list --dispatch d1 --state ${state} --json`);
    const ids = people.map((id) => `d1/email/${id}`);
    expect(JSON.parse(out)).toEqual(ids.map((id) => expect.objectContaining({ id, state })));
  });

  it('shows a listed name that nobody has', async () => {
    const { out } = await roster('sends show d1/email/~000');
    expect(out).toBe('id: d1/email/~000\nperson: nobody\nstate: skipped\nreason: unknown\n');
  });

  describe('of recipients who wait', () => {
    const due = new Date('2036-01-31T12:00:00Z');
    const when = due.toISOString();
    const reasons = [
      ['quiet', { reason: 'quiet_hours', tries: 0 }, `quiet hours until ${when}`],
      ['local', { reason: 'planned', tries: 0 }, `planned for ${when}`],
      ['full', { reason: 'no place', tries: 0 }, `no place; next try at ${when}`],
      ['busy', { reason: 'busy', tries: 2 }, `busy; tried 2 times; next try at ${when}`],
      ['old', { tries: 1 }, `tried once; next try at ${when}`],
    ] as const;

    beforeAll(async () => {
      const recipients = JSON.stringify({ external_user_ids: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] });
      const counts = { ...noCounts, waiting: 5, sent: 1 };
      const of = { ws: 'shop', channel: 'email', dispatch: 'd2', recipients, counts } as const;
      const delivery = aDelivery({ _id: 'd2/email', ...of });
      await store.messages.deliveries.insertOne(delivery);
      await store.profiles.insertOne({ ...newProfile('quiet', 'shop', 1), external_id: 'q-1' });
      await store.messages.sends.insertMany(
        reasons.map(([id, more]) => aSend(id, delivery, { state: 'waiting', due, ...more })),
      );
    });

    it.each(reasons)('tells why and until when: %s', async (id, _more, text) => {
      expect((await roster('sends list --dispatch d2')).out).toContain(` ${text}\n`);
      expect((await roster(`sends show d2/email/${id}`)).out).toContain(`reason: ${text}\n`);
    });

    it('tells it with the person, too', async () => {
      expect((await roster('person show quiet')).out).toContain(` quiet hours until ${when}\n`);
      const { sends } = JSON.parse((await roster('person show quiet --json')).out);
      expect(sends).toEqual([
        expect.objectContaining({ state: 'waiting', reason: 'quiet_hours', due: when, tries: 0 }),
      ]);
    });

    it('counts listed names that were not looked up yet as waiting', async () => {
      expect((await roster('sends list')).out).toMatch(/\nd2 +email +\S+ +- +6 +0 +1 +0/);
    });
  });

  it('says that there are more, and how to see them', async () => {
    const first = await roster('sends list --dispatch d1 --most 1');
    const [, after = ''] = /--after (\S+)/.exec(first.err) ?? [];
    expect(first.err).toContain('There are more than these 1.');
    const rest = await roster(`sends list --dispatch d1 --after ${after}`);
    expect([rest.out.includes(after), rest.err.includes('more')]).toEqual([false, false]);
  });

  it.each([
    ['--dispatch d1 --state skiped', 2, 'there is no state skiped. Did you mean skipped?'],
    ['--state skipped', 2, '--state needs --dispatch'],
    ['--dispatch d9', 3, 'nothing is planned or sent as d9'],
  ])('refuses %s', async (options, code, text) => {
    expect(await roster(`sends list ${options}`)).toMatchObject({ code, err: expect.stringContaining(text) });
  });

  it('shows a stored message as it would have been sent', async () => {
    const { out } = await roster('sends show d1/email/ada');
    expect(out).toContain('to: ada@example.com\nsubject: Hello\nbody:\n<p>Hi\nAda</p>\n');
    expect(await roster('sends show d1/email/eve')).toMatchObject({ code: 3 });
  });
});

describe('roster sends stop', () => {
  const at = new Date();
  const stored = async (n: number, state: ScheduleDocument['state']) => {
    const _id = `schedule-${n}`;
    await store.messages.schedules.insertOne({
      ...{ _id, ws: 'shop', dispatch: `dispatch${n}`, recipients: '{}', messages: '{}', size: 1, state },
      ...{ time: at.toISOString(), created: 1, changed: 1 },
      ...(state === 'waiting' ? { due: at } : { open: 1 }),
      ...(state === 'sent' && { ended: at }),
    });
    return _id;
  };

  it('stops what is being sent, by its dispatch, and says how many got it', async () => {
    const schedule = await stored(2, 'sending');
    const counts = { ...noCounts, waiting: 4, sending: 2, sent: 1200, skipped: 1 };
    const of = { ws: 'shop', channel: 'email', dispatch: 'dispatch2', schedule } as const;
    await store.messages.deliveries.insertOne(
      aDelivery({ _id: 'dispatch2/email', ...of, counts, taker: 'a process' }),
    );
    const shown = await roster('sends show dispatch2');
    expect(shown.out).toMatch(/dispatch: dispatch2\nstate: sending\n[\s\S]*DISPATCH[\s\S]* 1,200 /);
    expect(shown.err).toContain('roster sends list --dispatch dispatch2\n');
    expect(shown.err).toContain('roster sends stop dispatch2\n');
    expect(await roster('sends stop dispatch2')).toEqual({
      code: 0,
      out: 'stopped: 1,200 got it, 2 are being sent to, nobody else is; 4 who waited are skipped\n',
      err: '',
    });
    const delivery = await store.messages.deliveries.findOne({ schedule });
    expect(delivery).toMatchObject({ halted: 'stopped', read: true });
    expect(delivery).not.toHaveProperty('taker');
    expect(await store.audit.list({ target: schedule })).toMatchObject([{ what: 'sends.stopped' }]);
  });

  it('cancels what waits, by its id or its dispatch', async () => {
    const out = 'cancelled: nothing of it is sent\n';
    expect(await roster(`sends stop ${await stored(3, 'waiting')}`)).toMatchObject({ code: 0, out });
    await stored(4, 'waiting');
    expect(await roster('sends stop dispatch4')).toMatchObject({ code: 0, out });
    const states = await store.messages.schedules.distinct('state', { dispatch: /^dispatch[34]$/ });
    expect(states).toEqual(['cancelled']);
  });

  it('a cancelled or missed one is still found by its dispatch', async () => {
    expect((await roster('sends show dispatch4')).out).toMatch(/dispatch: dispatch4\nstate: cancelled\n/);
    expect(await roster('sends stop dispatch4')).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing is left to stop: the schedule is cancelled'),
    });
    expect(await roster('sends list --dispatch dispatch4')).toMatchObject({
      code: 0,
      err: expect.stringContaining('No recipients to show: the schedule is cancelled.'),
    });
    await stored(6, 'missed');
    expect((await roster('sends show dispatch6')).out).toContain('state: missed');
  });

  it('lists what is planned, and what ended before anything was sent', async () => {
    await stored(7, 'waiting');
    expect((await roster('sends list')).err).toContain('"roster sends planned" shows them');
    const planned = async (options = '') => (await roster(`sends planned${options}`)).out;
    expect(await planned()).toMatch(/^DISPATCH .*\ndispatch7 +waiting +\S+Z +- +schedule-7\n$/);
    expect(await planned(' --state missed')).toMatch(/\ndispatch6 +missed/);
    expect((await planned(' --state cancelled')).match(/dispatch[34] /g)).toHaveLength(2);
    const [one] = JSON.parse(await planned(' --json'));
    expect(one).toMatchObject({ dispatch: 'dispatch7', state: 'waiting', due: at.toISOString() });
  });

  it('reads those of a workspace in an index', async () => {
    const { schedules } = store.messages;
    for (const filter of [
      { ws: 'shop', state: 'missed' as const },
      { dispatch: 'dispatch4', ws: 'shop' },
    ]) {
      const plan = await schedules.find(filter, { sort: { ended: -1 } }).explain('queryPlanner');
      expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('IXSCAN');
    }
  });

  it.each([
    ['schedule-5', 2, 'nothing is left to stop: the schedule is sent'],
    ['nobody', 3, 'nothing is planned or sent as nobody'],
  ])('%s ends with %d', async (id, code, message) => {
    if (code === 2) await stored(5, 'sent');
    expect(await roster(`sends stop ${id}`)).toMatchObject({ code, err: expect.stringContaining(message) });
  });
});

describe('roster channel test', () => {
  const receiver = usePeer();

  it.each([
    [200, 0, 'sent\n', ''],
    [410, 1, 'refused: provider_refused (410)\n', expect.stringContaining('refused it. Look the number up')],
  ])('sends a webhook, and says what the receiver answered: %d', async (status, code, out, err) => {
    receiver.answer = (_, response) => response.writeHead(status).end();
    const line = `channel test app webhook --to ${receiver.url}/`;
    expect(await roster(line)).toEqual({ code, out, err });
  });

  const addresses = '--to a@example.com --from b@example.com';

  it('says that a mail server offers no sign-in, and what to do', async () => {
    const server = createServer((socket) => {
      socket.write('220 mail.test\r\n');
      socket.on('data', () => socket.write('250 mail.test\r\n'));
    });
    const host = (await listening(server)).replace('http://', '');
    const env = { MONGO_URL: servers.mongoUrl, ROSTER_CREDENTIAL_SMTP: `smtp://ada:p%40ss@${host}` };
    const { code, out, err } = await run(`channel test mail email ${addresses}`, { env });
    server.close();
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^not taken now: credentials_refused: the server offers no sign-in/),
    ]);
    expect(err).toContain('offers no way to sign in with them. Correct them, or the address');
  });

  it.each([
    [
      'app pigeon',
      2,
      'there is no channel pigeon; there are email, ios_push, droid_push, web_push, live_activity, sms, whats_app, webhook',
    ],
    ['phone ios_push', 2, 'ios_push needs --to: the token of a device, or a phone number'],
    ['phone ios_push --to a1', 2, 'the variable ROSTER_CREDENTIAL_APNS is not set or empty'],
    ['app ios_push --to a1', 3, 'the app app has no credentials for it: its messages are stored'],
    ['app droid_push --to a1', 3, 'Add apps[].channels.droid_push to the file of the workspace'],
    ['phone live_activity --to a1', 2, 'the variable ROSTER_CREDENTIAL_APNS is not set or empty'],
    ['app live_activity --to a1', 3, 'updates of its live activities are refused'],
    ['shop email', 3, 'the workspace shop has no app shop'],
    [`app email ${addresses}`, 3, 'the app app has no email server: its emails are stored'],
    ['mail email', 2, 'an email needs --to and --from'],
    [`mail email ${addresses}`, 2, 'the variable ROSTER_CREDENTIAL_SMTP is not set or empty'],
    [
      'mail email --from news@example.com --to "not an address"',
      2,
      '--to not an address is no email address',
    ],
  ])('%s ends with %d', async (line, code, message) => {
    expect(await roster(`channel test ${line}`)).toMatchObject({
      code,
      err: expect.stringContaining(message),
    });
  });
});

describe('roster channel address', () => {
  const secret = 'a secret for tests only';
  const address = (line: string, more: Record<string, string> = {}) =>
    run(`channel address ${line}`, {
      env: { MONGO_URL: servers.mongoUrl, ROSTER_SECRET: secret, ...more },
    });

  const twilio = { preset: 'twilio', account: 'AC1', token: 't', from: '+15550100' };
  const other = { url: 'https://sms.example.com', json: { to: '{to}' } };

  it.each([
    ['signed', twilio, 0, /^Earlier addresses go on until the file .* says "addresses_since: 20\S+Z" beside/],
    [
      'accepted',
      { ...other, answer: { from: 'from', text: 'text' }, unsigned_calls: 'accept' },
      0,
      /^Calls are not signed: whoever knows this address/,
    ],
    ['accepted', { ...other, unsigned_calls: 'accept' }, 0, /^The credential does not say where a call has/],
    ['unsigned', other, 2, /the credential does not say how the provider signs its calls. Add "signature"/],
  ])('gives one whose calls are %s, or says what is missing', async (calls, credential, code, err) => {
    const env = { ROSTER_CREDENTIAL_SMS: JSON.stringify(credential) };
    const result = await address('texts sms --pages-url https://pages.example.com --json', env);
    expect(result).toMatchObject({ code, err: expect.stringMatching(err) });
    if (code === 0) expect(JSON.parse(result.out)).toMatchObject({ calls });
  });

  it('gives the address for the answers of people', async () => {
    const { code, out } = await address('app sms --pages-url https://pages.example.com/');
    expect(code).toBe(0);
    const [, token = ''] = /^https:\/\/pages\.example\.com\/phone\/(\S+)\n$/.exec(out) ?? [];
    const base = 'https://pages.example.com';
    const made = { base, made: expect.any(Number) };
    expect(createPhoneUrls(secret).read(token)).toEqual({ ws: 'shop', app: 'app', channel: 'sms', ...made });
  });

  it('is not among those that end at the time that it names', async () => {
    const { out, err } = await address('app sms --pages-url https://pages.example.com');
    const [, since = ''] = /addresses_since: (\S+)"/.exec(err) ?? [];
    const made = createPhoneUrls(secret).read(out.trim().slice(out.lastIndexOf('/') + 1))?.made;
    expect(made).toBe(Date.parse(since));
  });

  it.each([
    ['app email --pages-url https://x', 2, 'the channel must be sms or whats_app'],
    ['app sms', 2, 'set --pages-url or PAGES_URL'],
    ['shop sms --pages-url https://x', 3, 'the workspace shop has no app shop'],
  ])('%s ends with %d', async (line, code, message) => {
    expect(await address(line)).toMatchObject({ code, err: expect.stringContaining(message) });
  });
});
