/** The push service of a browser for tests: takes what is encrypted, and knows which subscriptions are given up. */
import { createECDH, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { listening, urlOf } from './loopback.ts';
import type { Whole } from './system.ts';

const keyPair = () => {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  return keys;
};

const file = 'e2e-vapid';

/** For the tests of a file. */
export const usePushService = (whole: Pick<Whole, 'credentials'>) => {
  const got: { path: string; headers: IncomingHttpHeaders }[] = [];
  const [app, browser, auth] = [keyPair(), keyPair(), randomBytes(16)];
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    got.push({ path, headers });
    response.writeHead(path === '/dead' ? 410 : 201).end();
  });
  beforeAll(async () => {
    await listening(server);
    writeFileSync(join(whole.credentials, file), app.getPrivateKey('base64url'));
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    got,
    /** The token of a browser. */
    subscription: (path: string): string =>
      JSON.stringify({
        endpoint: `${urlOf(server)}${path}`,
        keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
      }),
    /** Of an app whose pushes go there. */
    channels: () => ({
      web_push: {
        private_key: { file },
        public_key: app.getPublicKey('base64url'),
        contact: 'mailto:push@example.com',
      },
    }),
  };
};
