import type { AddressInfo } from 'node:net';
import { createReadCredential, openChannels } from '@roster/channels';
import { SMTPServer } from 'smtp-server';
import { createHand } from './hand.ts';
import { createSenderSettings } from './settings.ts';
import { email, person, schedule, useSending } from './testbed.ts';

const { store, rows, run, withSettings } = useSending();

interface Received {
  from: string;
  to: string[];
  text: string;
}

const received: Received[] = [];
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authOptional: true,
  onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const from = mailFrom ? mailFrom.address : '';
      const text = Buffer.concat(parts).toString();
      received.push({ from, to: rcptTo.map(({ address }) => address), text });
      done();
    });
  },
});

const channels = openChannels();
let smtp = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  smtp = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
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
afterEach(() => withSettings({}));

const hand = () =>
  createHand({
    channels,
    settingsOf: createSenderSettings(store),
    readCredential: createReadCredential({ env: { ROSTER_CREDENTIAL_SMTP: smtp } }),
    reportUrl: () => 'https://example.com/r',
    unsubscribeOf: () => ({ 'List-Unsubscribe': '<https://example.com/u>' }),
  });

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
])('a message of before, with a template in %s, goes to nobody: %s', async (member, value, reason) => {
  await store.profiles.insertOne(ada);
  await run(hand(), schedule({ email: { ...mail, [member]: value } }));
  expect(await rows()).toEqual({ p1: `refused: ${reason}` });
  expect(received).toEqual([]);
});

it('a person adds no header and no recipient by their attributes', async () => {
  await store.profiles.insertOne(ada);
  const team = '{{custom_attribute.${team}}}';
  await run(hand(), schedule({ email: { ...mail, subject: team, headers: { 'X-Team': team } } }));
  expect(await rows()).toEqual({ p1: 'sent' });
  expect(received).toMatchObject([{ from: 'news@shop.example', to: ['ada@example.com'] }]);
  const lines = received[0]?.text.split('\r\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'From: Shop <news@shop.example>',
      'X-Team: eve@evil.example, z',
      'List-Unsubscribe: <https://example.com/u>',
    ]),
  );
});
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: it ends here */
