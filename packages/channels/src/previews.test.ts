/** A stored message is shown as its provider would get it: by a mail server, APNs and FCM of our own, which get what leaves. */
import { SMTPServer } from 'smtp-server';
import { openChannels } from './channels.ts';
import { openPreviews } from './previews.ts';

const message = {
  id: 'd1/email/ada',
  to: 'ada@example.com',
  headers: { 'List-Unsubscribe': '<https://example.com/u>' },
  content: {
    ...{ from: 'Shop <news@shop.example>', subject: 'Grüße', preheader: 'Soon', should_inline_css: true },
    body: '<style>p { color: red }</style><p>Hi</p>',
    headers: { 'X-Own': 'yes' },
  },
};

const channels = openChannels();
const previews = openPreviews();
afterAll(() => Promise.all([channels.close(), previews.close()]));

/** What a mail server gets. */
const received = async (): Promise<string> => {
  let text = '';
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData(stream, _session, done) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      stream.on('end', done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const answer = await channels.send('email', { smtp: `smtp://127.0.0.1:${port}` }, message);
  expect(answer.state).toBe('sent');
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return text;
};

/** They are of the moment, or by chance. */
const steady = (text: string): string => text.replace(/^Date: .*$/m, '').replace(/boundary=.*$/m, '');

it('an email has the headers, the HTML and the text that a mail server gets', async () => {
  const shown = await previews.leaving('email', message);
  if (shown?.is !== 'email') throw new Error('it is no email');
  const mail = await received();
  expect(steady(shown.headers)).toBe(steady(mail.slice(0, mail.indexOf('\r\n\r\n'))));
  expect(shown.headers).toContain('List-Unsubscribe: <https://example.com/u>');
  const decoded = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  for (const part of [shown.html, shown.text]) expect(decoded).toContain(part);
  expect(shown.html).toContain('<p style="color: red;">Hi</p>');
});

it('says why it would be refused', async () => {
  const content = { ...message.content, from: 'nobody' };
  expect(await previews.leaving('email', { ...message, content })).toMatchObject({ is: 'refused' });
});

it('a message whose form is the business of its provider has none', async () => {
  expect(await previews.leaving('sms', message)).toBeUndefined();
});
