import type { IncomingMessage } from 'node:http';
import { callerOf } from '@roster/runtime';
import express from 'express';

/** What Express makes of the same request. */
const byExpress = (app: express.Express, request: object): string | undefined =>
  Object.assign(Object.create(app.request), request).ip;

describe('the IP of the caller', () => {
  it.each([
    ['', '203.0.113.9', undefined],
    ['', '10.0.0.1', '198.51.100.7'],
    ['loopback', '127.0.0.1', undefined],
    ['loopback', '127.0.0.1', '198.51.100.7'],
    ['loopback', '::ffff:127.0.0.1', '198.51.100.7'],
    ['loopback', '127.0.0.1', '192.0.2.1, 198.51.100.7'],
    ['loopback', '203.0.113.9', '198.51.100.7'],
    ['loopback, 10.0.0.0/8', '10.0.0.1', '198.51.100.7 ,10.1.1.1,  10.2.2.2'],
    ['loopback, 10.0.0.0/8', '10.0.0.1', '10.1.1.1, 10.2.2.2'],
    ['loopback', '127.0.0.1', ' , ,198.51.100.7, ,'],
    ['loopback', '127.0.0.1', ','],
    ['loopback', '127.0.0.1', ''],
    ['loopback', '127.0.0.1', 'unknown'],
    ['loopback', '127.0.0.1', 'unknown, 127.0.0.1'],
    ['uniquelocal', 'fd00::1', '2001:db8::1, fd00::2'],
    ['loopback', undefined, '198.51.100.7'],
  ])('is what Express says: trusted %j, from %j, forwarded %j', (trusted, remoteAddress, forwarded) => {
    const app = express();
    if (trusted) app.set('trust proxy', trusted);
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const request = { headers, socket: { remoteAddress } };
    const caller = callerOf(request as unknown as IncomingMessage, app.get('trust proxy fn'));
    expect(caller).toBe(byExpress(app, request) ?? '');
  });

  it('does not read what a stranger says of others', () => {
    const headers = {
      get 'x-forwarded-for'(): string {
        throw new Error('it was read');
      },
    };
    const request = { headers, socket: { remoteAddress: '203.0.113.9' } };
    expect(callerOf(request as unknown as IncomingMessage, () => false)).toBe('203.0.113.9');
    expect(() => callerOf(request as unknown as IncomingMessage, () => true)).toThrow('it was read');
  });
});
