/** APNs for tests: takes pushes that are signed by the key that the services have, and keeps them. */
import { generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { listening, textOf, urlOf } from '@roster/testkit';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
// Read by the services when they start, which is after this line.
process.env.ROSTER_CREDENTIAL_E2E_APNS = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

interface Push {
  device: string;
  headers: IncomingHttpHeaders;
  payload: { aps: Record<string, unknown>; roster?: Record<string, unknown> };
}

const isSigned = (authorization = ''): boolean => {
  const [head = '', claims = '', signature = ''] = authorization.replace('bearer ', '').split('.');
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'));
};

const answer = (stream: ServerHttp2Stream, status: number, reason: string): void => {
  stream.respond({ ':status': status });
  stream.end(JSON.stringify({ reason }));
};

/** A token of no device. */
export const dead = 'dead'.repeat(16);

/** For the tests of a file. */
export const useApns = () => {
  const got: Push[] = [];
  const server = createServer();
  server.on('stream', async (stream: ServerHttp2Stream, headers) => {
    const text = await textOf(stream);
    const device = String(headers[':path']).slice('/3/device/'.length);
    if (!isSigned(headers.authorization)) return answer(stream, 403, 'InvalidProviderToken');
    if (device === dead) return answer(stream, 400, 'BadDeviceToken');
    got.push({ device, headers, payload: JSON.parse(text) });
    stream.respond({ ':status': 200, 'apns-id': headers['apns-id'] });
    stream.end();
  });
  beforeAll(() => listening(server));
  afterAll(() => server.close());
  return {
    got,
    /** Of an app whose pushes go there. */
    channels: () => ({
      ios_push: {
        key: { env: 'ROSTER_CREDENTIAL_E2E_APNS' },
        key_id: 'ABC123DEFG',
        team_id: 'DEF123GHIJ',
        topic: 'com.example.shop',
        url: urlOf(server),
      },
    }),
  };
};
