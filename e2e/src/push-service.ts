/** The push service of a browser for tests: decrypts what comes, and knows which subscriptions are given up. */
import { createECDH } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { bytesOf, createPushSubscription, usePeer } from '@roster/testkit';
import type { Whole } from './system.ts';

const file = 'e2e-vapid';

/** For the tests of a file. */
export const usePushService = (whole: Pick<Whole, 'credentials'>) => {
  const got: { path: string; headers: IncomingHttpHeaders; text: string }[] = [];
  const app = createECDH('prime256v1');
  app.generateKeys();
  const { keys, decrypt } = createPushSubscription();
  const peer = usePeer(async (request, response) => {
    const { url: path = '', headers } = request;
    got.push({ path, headers, text: decrypt(await bytesOf(request)) });
    response.writeHead(path === '/dead' ? 410 : 201).end();
  });
  beforeAll(() => writeFileSync(join(whole.credentials, file), app.getPrivateKey('base64url')));
  return {
    got,
    /** The token of a browser. */
    subscription: (path: string): string => JSON.stringify({ endpoint: `${peer.url}${path}`, keys }),
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
