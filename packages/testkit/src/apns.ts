/** APNs, as strict as it is. */
import { generateKeyPairSync } from 'node:crypto';
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { type ApnsChannels, type ApnsRefusal, judgeBroadcast, manageChannels } from './apns-channels.ts';
import { openHttp2 } from './http2.ts';
import { textOf } from './loopback.ts';
import { tokenIn } from './signed-token.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const appleKey = {
  key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  key_id: 'ABC123DEFG',
  team_id: 'DEF123GHIJ',
  topic: 'com.example.shop',
};

const judgeToken = (header: string, now: number): ApnsRefusal | undefined => {
  const [, token = ''] = /^bearer (.+)$/.exec(header) ?? [];
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  const { alg, kid, iss, iat } = tokenIn(token, key) ?? {};
  if (alg !== 'ES256' || kid !== appleKey.key_id || iss !== appleKey.team_id)
    return [403, 'InvalidProviderToken'];
  return now / 1000 - iat > 3600 ? [403, 'ExpiredProviderToken'] : undefined;
};

const types: Readonly<Record<string, string>> = {
  alert: appleKey.topic,
  background: appleKey.topic,
  liveactivity: `${appleKey.topic}.push-type.liveactivity`,
};

const judgeHeaders = (headers: IncomingHttpHeaders): ApnsRefusal | undefined => {
  const of = (name: string): string => String(headers[`apns-${name}`] ?? '');
  const topic = types[of('push-type')];
  if (topic === undefined) return [400, 'InvalidPushType'];
  if (of('topic') !== topic) return [400, 'TopicDisallowed'];
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(of('id'))) return [400, 'BadMessageId'];
  if (!/^([1-9]|10)$/.test(of('priority'))) return [400, 'BadPriority'];
  if (of('push-type') === 'background' && of('priority') !== '5') return [400, 'BadPriority'];
  if (!/^\d*$/.test(of('expiration'))) return [400, 'BadExpirationDate'];
  if (of('collapse-id').length > 64) return [400, 'BadCollapseId'];
  if (headers[':method'] !== 'POST') return [405, 'MethodNotAllowed'];
  return /^\/3\/device\/[0-9a-fA-F]+$/.test(String(headers[':path'])) ? undefined : [404, 'BadPath'];
};

/** What Apple documents within `aps`. */
const aps = new Set([
  ...['alert', 'badge', 'sound', 'thread-id', 'category', 'content-available', 'mutable-content'],
  ...['interruption-level', 'relevance-score', 'timestamp', 'event', 'content-state', 'stale-date'],
  ...['dismissal-date', 'attributes-type', 'attributes'],
]);

const judgePayload = (text: string): ApnsRefusal | undefined => {
  if (text === '') return [400, 'PayloadEmpty'];
  if (Buffer.byteLength(text) > 4096) return [413, 'PayloadTooLarge'];
  const payload = JSON.parse(text);
  const other = Object.keys(payload.aps ?? { none: 1 }).find((name) => !aps.has(name));
  return other === undefined ? undefined : [400, `BadMember ${other}`];
};

interface ApplePush {
  device: string;
  headers: IncomingHttpHeaders;
  payload: { aps: Record<string, unknown>; roster?: Record<string, unknown> };
}

interface AppleBroadcast extends Omit<ApplePush, 'device'> {
  channel: string;
}

interface ApnsState {
  now(): number;
  channels: ApnsChannels;
  tokens: Set<string>;
  connections: number;
  onSession?(session: ServerHttp2Session): void;
  /** Another answer than its own. */
  answer?(stream: ServerHttp2Stream, session: ServerHttp2Session, headers: IncomingHttpHeaders): void;
}

const answer = (stream: ServerHttp2Stream, [status, reason]: ApnsRefusal): void => {
  stream.respond({ ':status': status });
  stream.end(JSON.stringify({ reason }));
};

export const openApns = async (maxConcurrentStreams = 1000) => {
  const got: ApplePush[] = [];
  const broadcasts: AppleBroadcast[] = [];
  const state: ApnsState = { now: Date.now, channels: new Map(), tokens: new Set(), connections: 0 };

  const manage = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, text: string): void => {
    const answered = manageChannels(headers, text, { topic: appleKey.topic, channels: state.channels });
    if ('headers' in answered) {
      stream.respond(answered.headers);
      stream.end(answered.body && JSON.stringify(answered.body));
    } else answer(stream, answered);
  };

  const take = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    const text = await textOf(stream);
    const authorization = String(headers.authorization);
    const path = String(headers[':path']);
    const badToken = judgeToken(authorization, state.now());
    if (badToken) return answer(stream, badToken);
    if (path.startsWith('/1/')) return manage(stream, headers, text);
    const of = { topic: appleKey.topic, channels: state.channels };
    const isBroadcast = path.startsWith('/4/');
    const wrong = isBroadcast
      ? judgeBroadcast(headers, text, of)
      : (judgeHeaders(headers) ?? judgePayload(text));
    if (wrong) return answer(stream, wrong);
    state.tokens.add(authorization);
    if (state.tokens.size > 1) return answer(stream, [429, 'TooManyProviderTokenUpdates']);
    if (isBroadcast) {
      broadcasts.push({ channel: String(headers['apns-channel-id']), headers, payload: JSON.parse(text) });
      stream.respond({ ':status': 200, 'apns-request-id': headers['apns-request-id'] });
      return void stream.end();
    }
    got.push({ device: String(headers[':path']).slice(10), headers, payload: JSON.parse(text) });
    stream.respond({ ':status': 200, 'apns-id': headers['apns-id'] });
    stream.end();
  };

  const server = await openHttp2({
    maxConcurrentStreams,
    onSession(session) {
      state.connections += 1;
      state.onSession?.(session);
    },
    onStream(stream, headers) {
      const { session } = stream;
      if (state.answer && session) return state.answer(stream, session as ServerHttp2Session, headers);
      return void take(stream, headers).catch(() => {});
    },
  });
  return { got, broadcasts, state, refuse: answer, take, ...server };
};
