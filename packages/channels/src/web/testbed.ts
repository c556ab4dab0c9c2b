/** For tests: a browser with its push service, which decrypts what it gets and is as strict as the standards are. */
import { createPublicKey, verify } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { present } from '@roster/contract';
import { bytesOf, createPushSubscription, openServer } from '@roster/testkit';

/** Of the header: `vapid t=<token>, k=<key>`. */
const judgeVapid = (header: string, origin: string): string | undefined => {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65) return 'no key';
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65) };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', signed, options, Buffer.from(signature, 'base64url'))) return 'a wrong signature';
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const seconds = exp - Date.now() / 1000;
  if (aud !== origin) return `meant for ${aud}`;
  if (seconds <= 0 || seconds > 24 * 60 * 60) return 'no time within a day';
  return /^(mailto:.+@|https:)/.test(sub) ? undefined : 'nobody to ask';
};

const judge = (request: IncomingMessage, body: Buffer, origin: string): string | undefined => {
  const { authorization = '', ttl = '', urgency = '', topic = '', ...headers } = request.headers;
  if (request.method !== 'POST') return 'no POST';
  if (headers['content-encoding'] !== 'aes128gcm') return 'an unknown encoding';
  if (!/^\d+$/.test(String(ttl))) return 'no TTL';
  if (!['very-low', 'low', 'normal', 'high', ''].includes(String(urgency))) return 'an unknown urgency';
  if (!/^[A-Za-z0-9_-]{0,32}$/.test(String(topic))) return 'a topic that is none';
  if (body.length > 4096) return 'too large';
  return judgeVapid(authorization, origin);
};

interface Pushed {
  ttl: number;
  urgency?: string;
  topic?: string;
  payload: unknown;
}

/** `answer` comes before its own judgement, where a test wants another one. */
export const openPushService = async () => {
  const { keys, decrypt } = createPushSubscription();
  const got: Pushed[] = [];
  const state: { answer?: RequestListener; refused?: string } = {};
  const { url: origin, close } = await openServer(async (request, response) => {
    if (state.answer) return state.answer(request, response);
    const body = await bytesOf(request);
    const wrong = judge(request, body, origin);
    if (wrong !== undefined) {
      state.refused = wrong;
      return void response.writeHead(400).end(wrong);
    }
    const { urgency, topic } = request.headers as Record<string, string | undefined>;
    got.push({
      ttl: Number(request.headers.ttl),
      ...present({ urgency, topic }),
      payload: JSON.parse(decrypt(body)),
    });
    response.writeHead(201, { location: `${origin}/message/1` }).end();
  });
  return {
    got,
    state,
    origin,
    subscription: { endpoint: `${origin}/push/abc`, keys },
    close,
  };
};
