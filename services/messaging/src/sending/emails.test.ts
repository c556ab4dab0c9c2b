import { createReadCredential, openChannels } from '@roster/channels';
import { listening, textOf } from '@roster/testkit';
import { SMTPServer } from 'smtp-server';
import { email, handWith, person, schedule, useSending } from './testbed.ts';

const { store, rows, run, withSettings } = useSending();

const received: { from: string; to: string[]; text: string }[] = [];
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authOptional: true,
  async onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
    const text = await textOf(stream);
    const from = mailFrom ? mailFrom.address : '';
    received.push({ from, to: rcptTo.map(({ address }) => address), text });
    done();
  },
});

const channels = openChannels();
let smtp = '';

beforeAll(async () => {
  smtp = (await listening(server.server)).replace('http:', 'smtp:');
});
afterAll(async () => {
  await channels.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
beforeEach(async () => {
  received.length = 0;
  const channel = { email: { smtp: { env: 'ROSTER_CREDENTIAL_SMTP' } } };
  await withSettings({ apps: [{ id: 'shop', name: 'Shop', channels: channel }] });
});

const hand = () => handWith(store, channels, createReadCredential({ env: { ROSTER_CREDENTIAL_SMTP: smtp } }));

const mail = { app_id: 'shop', from: 'Shop <news@shop.example>', subject: 'Hi', body: '<p>Hello</p>' };

const ada = person(1, {
  ...email('ada@example.com'),
  custom: [
    { k: 'team', v: 'eve@evil.example, z', at: 1 },
    { k: 'one', v: 'eve@evil.example', at: 1 },
  ],
});

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: Liquid of the interface */
const mailbox = 'must be one email, or a name with one email in angle brackets, without Liquid';
it.each([
  ['from', '{{custom_attribute.${team}}} <news@shop.example>', `from ${mailbox}`],
  ['from', '{{custom_attribute.${one}}}', `from ${mailbox}`],
  ['reply_to', '{{custom_attribute.${one}}}', `reply_to ${mailbox}`],
  ['bcc', '{{custom_attribute.${one}}}', 'bcc must be one email, without Liquid'],
  ['bcc', '{{content_blocks.list}}@example.com', 'bcc must be one email, without Liquid'],
])('a message of before, with a template in %s, goes to nobody: %s', async (member, value, words) => {
  await store.profiles.insertOne(ada);
  await run(hand(), schedule({ email: { ...mail, [member]: value } }));
  expect(await rows()).toEqual({ p1: 'refused: message_invalid' });
  expect(await store.messages.sends.findOne({})).toMatchObject({ words });
  expect(received).toEqual([]);
});

it('a person adds no header and no recipient by their attributes', async () => {
  await store.profiles.insertOne(ada);
  const team = '{{custom_attribute.${team}}}';
  await run(hand(), schedule({ email: { ...mail, subject: team, headers: { 'X-Team': team } } }));
  expect(await rows()).toEqual({ p1: 'sent' });
  expect(received).toMatchObject([{ from: 'news@shop.example', to: ['ada@example.com'] }]);
  expect(received[0]?.text.split('\r\n')).toEqual(
    expect.arrayContaining([
      'From: Shop <news@shop.example>',
      'X-Team: eve@evil.example, z',
      'List-Unsubscribe: <https://example.com/u>',
    ]),
  );
});

/** 5 KB, 100 rules. */
const newsletter = `<style>${Array.from({ length: 100 }, (_, at) => `.c${at} td { padding: ${at}px }`).join('\n')}</style>
<table>${Array.from({ length: 50 }, (_, at) => `<tr class="c${at}"><td>Offer ${at} for {{\${first_name}}}</td></tr>`).join('')}</table>`;

it('a usual newsletter reaches everybody with its styles in the tags', async () => {
  const people = Array.from({ length: 20 }, (_, at) =>
    person(at, {
      fields: { ...email(`p${at}@example.com`).fields, first_name: { v: `Ada${at}`, at: 1 } },
      email_key: `p${at}@example.com`,
    }),
  );
  await store.profiles.insertMany(people);
  await run(hand(), schedule({ email: { ...mail, body: newsletter, should_inline_css: true } }));
  expect(new Set(Object.values(await rows()))).toEqual(new Set(['sent']));
  expect(received.map(({ to }) => to[0]).toSorted()).toEqual(
    people.map(({ email_key }) => email_key).toSorted(),
  );
  for (const { text, to } of received) {
    const plain = text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const name = `Ada${/^p(\d+)@/.exec(to[0] ?? '')?.[1]}`;
    expect(plain).toContain(`<td style="padding: 49px;">Offer 49 for ${name}</td>`);
    expect(plain).not.toContain('<style>');
  }
});

it('an email that is too much work for one person is refused for them, and goes to the others', async () => {
  const large = person(1, { ...email('large@example.com'), custom: [{ k: 'items', v: 2000, at: 1 }] });
  await store.profiles.insertMany([
    large,
    person(2, { ...email('small@example.com'), custom: [{ k: 'items', v: 2, at: 1 }] }),
  ]);
  const rules = Array.from({ length: 1300 }, (_, at) => `b:not(.x${at}) { color: red }`).join('');
  const body = `<style>${rules}</style>{% for i in (1..custom_attribute.\${items}) %}<b>x</b>{% endfor %}`;
  await run(hand(), schedule({ email: { ...mail, body, should_inline_css: true } }));
  expect(await rows()).toEqual({
    p1: 'refused: message_invalid',
    p2: 'sent',
  });
  expect(await store.messages.sends.findOne({ profile: 'p1' })).toMatchObject({
    words: 'the HTML and its styles take too much work: send fewer elements or rules',
  });
});
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: it ends here */
