import type { Stack } from './running.ts';
import { summary } from './summary.ts';

const stack = {
  workspace: 'demo',
  baseUrl: 'http://127.0.0.1:8080',
  monitorUrl: 'http://127.0.0.1:3000',
  pagesUrl: 'http://127.0.0.1:8090',
  apiKey: 'rk_demo',
  outboxToken: 'of-the-outbox',
  dir: '/data',
  redisUrl: 'redis+sentinel://roster:pa55@a:26379,b/main/0?sentinelUsername=watch&sentinelPassword=pa55',
  mongoUrl: 'mongodb://roster:pa55@a:27017,b:27017/roster?replicaSet=rs0',
} as Stack;
const text = summary(stack, new Date('2030-05-06T07:08:09Z'));

it('says where emails are stored while there is no mail server', () => {
  expect(text).toContain('name no mail server, its emails are not sent');
  expect(text).toContain('http://127.0.0.1:3000/outbox?token=of-the-outbox\n');
});

it('has a first event of this moment', () => {
  expect(text).toContain('"time":"2030-05-06T07:08:09.000Z"');
});

it('has addresses of pages that know the demo key', () => {
  expect(text).toContain('http://127.0.0.1:8080/#key=rk_demo&outbox=of-the-outbox\n');
  expect(text).toContain('http://127.0.0.1:8080/docs#key=rk_demo\n');
});

it('tells no password of a server of yours', () => {
  expect(text).not.toContain('pa55');
  expect(text).toContain(
    'redis+sentinel://roster:***@a:26379,b/main/0?sentinelUsername=watch&sentinelPassword=***',
  );
  expect(text).toContain('mongodb://roster:***@a:27017,b:27017/roster?replicaSet=rs0');
});

it('does not say that nobody is asked to sign in where somebody is', () => {
  const shut = summary(stack, new Date('2030-05-06T07:08:09Z'), true);
  expect(text).toContain('not asked for until there is a dashboard user');
  expect(shut).not.toContain('not asked for until');
  expect(shut).not.toContain('outbox?token');
  expect(shut).toContain('http://127.0.0.1:3000/sign-in. One more user');
});
