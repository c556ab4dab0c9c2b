import { hasMailServer } from './mail-server.ts';
import type { Stack } from './running.ts';
import { summary } from './summary.ts';

const stack = {
  workspace: 'demo',
  baseUrl: 'http://127.0.0.1:8080',
  monitorUrl: 'http://127.0.0.1:3000',
  pagesUrl: 'http://127.0.0.1:8090',
  apiKey: 'rk_demo',
  dir: '/data',
} as Stack;
const now = new Date('2030-05-06T07:08:09Z');

it('says where emails are stored while there is no mail server', () => {
  const text = summary(stack, { now, hasMailServer: false });
  expect(text).toContain('read them at http://127.0.0.1:3000/outbox');
  expect(text).not.toContain('are sent by');
});

it('says that emails are sent once there is a mail server', () => {
  const text = summary(stack, { now, hasMailServer: true });
  expect(text).toContain('Emails of workspace demo are sent by the mail server');
  expect(text).not.toContain('no mail server');
});

it('has a first event of this moment', () => {
  expect(summary(stack, { now, hasMailServer: false })).toContain('"time":"2030-05-06T07:08:09.000Z"');
});

it.each([
  ['no app', {}, false],
  ['an app without channels', { apps: [{}] }, false],
  ['an app that sends texts', { apps: [{ channels: { sms: {} } }] }, false],
  ['a second app with a mail server', { apps: [{}, { channels: { email: { smtp: {} } } }] }, true],
])('%s: a mail server is set or not', (_what, settings, expected) => {
  expect(hasMailServer(settings)).toBe(expected);
});
