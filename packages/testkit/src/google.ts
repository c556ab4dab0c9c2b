/** Google's servers for tokens and pushes, as strict as they are. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { openHttp2 } from './http2.ts';
import { openServer, textOf } from './loopback.ts';
import { tokenIn } from './signed-token.ts';

const email = 'roster@shop.iam.gserviceaccount.com';

const judgeAssertion = (
  fields: URLSearchParams,
  publicKey: KeyObject,
  uri: string,
  now: number,
): string | undefined => {
  if (fields.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') return 'another grant';
  const token = tokenIn(fields.get('assertion') ?? '', publicKey);
  if (!token) return 'a wrong signature';
  const { alg, iss, scope, aud, iat, exp } = token;
  if (alg !== 'RS256' || iss !== email || aud !== uri) return 'for somebody else';
  if (scope !== 'https://www.googleapis.com/auth/firebase.messaging') return 'for something else';
  return exp - iat > 3600 || Math.abs(iat - now / 1000) > 60 ? 'at another time' : undefined;
};

const isText = (value: unknown): boolean => typeof value === 'string';

/** The members of a message that Google documents, and what they have to be. */
const notification: Record<string, (value: unknown) => boolean> = {
  title: isText,
  body: isText,
  channel_id: isText,
  notification_priority: (value) => /^PRIORITY_(MIN|LOW|DEFAULT|HIGH|MAX)$/.test(String(value)),
  sound: isText,
  tag: isText,
  image: isText,
  color: (value) => /^#[0-9a-f]{6}$/.test(String(value)),
};
const android: Record<string, (value: unknown) => boolean> = {
  collapse_key: isText,
  priority: (value) => value === 'NORMAL' || value === 'HIGH',
  ttl: (value) => /^\d+s$/.test(String(value)),
  notification: (value) => wrongIn(notification, value) === undefined,
};

const wrongIn = (members: Record<string, (value: unknown) => boolean>, value: unknown): string | undefined =>
  Object.entries(value as object).find(([name, inner]) => !members[name]?.(inner))?.[0];

interface DroidMessage {
  token: string;
  data: Record<string, string>;
  android: Record<string, unknown> & { notification?: Record<string, unknown> };
}

const judgeMessage = (body: string): DroidMessage | string => {
  const { message, ...others } = JSON.parse(body);
  if (Object.keys(others).length > 0 || !isText(message.token)) return 'message';
  const wrong = wrongIn({ token: isText, data: () => true, android: () => true }, message);
  if (wrong !== undefined) return wrong;
  for (const [name, value] of Object.entries(message.data))
    if (!isText(value) || /^(from|message_type|gcm.*|google.*)$/.test(name)) return `data.${name}`;
  return wrongIn(android, message.android) ?? message;
};

interface FcmError {
  status: number;
  code: string;
  errorCode?: string;
  field?: string;
  message?: string;
  headers?: Record<string, string>;
}

const errorOf = ({ status, code, errorCode, field, message = `The reason: ${code}` }: FcmError) =>
  JSON.stringify({
    error: {
      code: status,
      message,
      status: code,
      details: [
        ...(errorCode === undefined ? [] : [{ '@type': 'FcmError', errorCode }]),
        ...(field === undefined ? [] : [{ '@type': 'BadRequest', fieldViolations: [{ field }] }]),
      ],
    },
  });

interface FcmState {
  asked: number;
  valid: string;
  now(): number;
  /** Tokens of no device. */
  dead: ReadonlySet<string>;
  /** Another answer than its own. */
  answer?(stream: ServerHttp2Stream): void;
  error?: FcmError;
  /** Of who asks for a token. */
  refusal?: { status: number; headers?: Record<string, string>; text?: string };
}

export const openGoogle = async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const got: DroidMessage[] = [];
  const state: FcmState = { asked: 0, valid: 'token-0', now: Date.now, dead: new Set() };

  const giveToken: RequestListener = async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/token') return void response.writeHead(404).end('{}');
    const fields = new URLSearchParams(await textOf(request));
    const wrong = judgeAssertion(fields, publicKey, `${accounts.url}/token`, state.now());
    if (wrong !== undefined) return void response.writeHead(400).end(wrong);
    state.asked += 1;
    if (state.refusal) {
      const { status, headers, text = '{}' } = state.refusal;
      return void response.writeHead(status, headers).end(text);
    }
    state.valid = `token-${state.asked}`;
    response.end(JSON.stringify({ access_token: state.valid, expires_in: 3599, token_type: 'Bearer' }));
  };

  const take = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    const body = await textOf(stream);
    const refuse = (error: FcmError): void => {
      stream.respond({ ':status': error.status, ...error.headers });
      stream.end(errorOf(error));
    };
    if (headers[':path'] !== '/v1/projects/shop/messages:send' || headers[':method'] !== 'POST')
      return refuse({ status: 404, code: 'NOT_FOUND' });
    if (headers.authorization !== `Bearer ${state.valid}`)
      return refuse({ status: 401, code: 'UNAUTHENTICATED' });
    if (headers['content-type'] !== 'application/json')
      return refuse({ status: 400, code: 'INVALID_ARGUMENT' });
    if (state.error) return refuse(state.error);
    const message = judgeMessage(body);
    if (typeof message === 'string') return refuse({ status: 400, code: 'INVALID_ARGUMENT', field: message });
    if (state.dead.has(message.token))
      return refuse({ status: 404, code: 'NOT_FOUND', errorCode: 'UNREGISTERED' });
    got.push(message);
    stream.respond({ ':status': 200 });
    stream.end(JSON.stringify({ name: `projects/shop/messages/${got.length}` }));
  };

  const accounts = await openServer(giveToken);
  const server = await openHttp2({
    onStream: (stream, headers) => void (state.answer ?? take)(stream, headers),
  });
  return {
    got,
    state,
    url: server.url,
    account: {
      type: 'service_account',
      project_id: 'shop',
      client_email: email,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      token_uri: `${accounts.url}/token`,
    },
    close(): void {
      server.close();
      void accounts.close();
    },
  };
};
