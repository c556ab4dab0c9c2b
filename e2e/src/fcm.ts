/** Google's servers for tests: gives tokens for what the key of the account has signed, and takes pushes with such a token. */
import { generateKeyPairSync, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { join } from 'node:path';
import { listening, textOf } from '@roster/testkit';
import type { Whole } from './system.ts';

interface Message {
  token: string;
  data: Record<string, string>;
  android: Record<string, unknown>;
}

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const isSigned = (assertion: string): boolean => {
  const [head = '', claims = '', signature = ''] = assertion.split('.');
  return verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
};

const giveToken: RequestListener = async (request, response) => {
  const fields = new URLSearchParams(await textOf(request));
  if (!isSigned(fields.get('assertion') ?? '')) return void response.writeHead(400).end('{}');
  response.end(JSON.stringify({ access_token: 'good', expires_in: 3599 }));
};

const unregistered = JSON.stringify({
  error: { code: 404, status: 'NOT_FOUND', details: [{ errorCode: 'UNREGISTERED' }] },
});

const file = 'e2e-firebase.json';

/** For the tests of a file; every token in `dead` is of no device. */
export const useFcm = (whole: Pick<Whole, 'credentials'>, dead: ReadonlySet<string>) => {
  const got: Message[] = [];
  const accounts = createHttp((request, response) => void giveToken(request, response));
  const server = createServer();
  server.on('stream', async (stream: ServerHttp2Stream, headers) => {
    const { message } = JSON.parse(await textOf(stream));
    const isKnown =
      headers.authorization === 'Bearer good' && headers[':path'] === '/v1/projects/shop/messages:send';
    const status = !isKnown ? 401 : dead.has(message.token) ? 404 : 200;
    stream.respond({ ':status': status });
    if (status !== 200) return stream.end(status === 404 ? unregistered : '{}');
    got.push(message);
    stream.end(JSON.stringify({ name: `projects/shop/messages/${got.length}` }));
  });
  let url = '';
  beforeAll(async () => {
    url = await listening(server);
    const account = {
      project_id: 'shop',
      client_email: 'roster@shop.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `${await listening(accounts)}/token`,
    };
    writeFileSync(join(whole.credentials, file), JSON.stringify(account));
  });
  afterAll(() => {
    server.close();
    accounts.close();
    accounts.closeAllConnections();
  });
  return {
    got,
    /** Of an app whose pushes go there. */
    channels: () => ({ droid_push: { account: { file }, url } }),
  };
};
