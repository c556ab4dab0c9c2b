/** Broadcast channels of APNs, as strict as it is: pushes to them, and their management. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';

export type ApnsRefusal = readonly [status: number, reason: string];

/** Storage policies by the ids of channels. */
export type ApnsChannels = Map<string, 0 | 1>;

const isBase64 = (text: string): boolean =>
  text !== '' && Buffer.from(text, 'base64').toString('base64') === text;

const judgeChannel = (id: string, channels: ApnsChannels): ApnsRefusal | undefined => {
  if (id === '') return [400, 'MissingChannelId'];
  if (!isBase64(id)) return [400, 'BadChannelId'];
  return channels.has(id) ? undefined : [404, 'ChannelNotRegistered'];
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const judgeBroadcastHeaders = (
  headers: IncomingHttpHeaders,
  topic: string,
  channels: ApnsChannels,
): ApnsRefusal | undefined => {
  const of = (name: string): string => String(headers[`apns-${name}`] ?? '');
  if (headers[':method'] !== 'POST') return [405, 'MethodNotAllowed'];
  if (headers[':path'] !== `/4/broadcasts/apps/${topic}`) return [403, 'TopicMismatch'];
  if (of('push-type') !== 'liveactivity') return [400, 'InvalidPushType'];
  if (headers['apns-topic'] !== undefined) return [400, 'BadTopic'];
  if (!/^(1|5|10)?$/.test(of('priority'))) return [400, 'BadPriority'];
  if (!uuid.test(of('request-id'))) return [400, 'BadMessageId'];
  const wrong = judgeChannel(of('channel-id'), channels);
  if (wrong) return wrong;
  const isStored = channels.get(of('channel-id')) === 1;
  return (isStored ? /^\d+$/ : /^0$/).test(of('expiration')) ? undefined : [400, 'BadExpirationDate'];
};

const judgeBroadcastPayload = (text: string): ApnsRefusal | undefined => {
  if (text === '') return [400, 'PayloadEmpty'];
  if (Buffer.byteLength(text) > 5120) return [413, 'PayloadTooLarge'];
  const { event, timestamp } = JSON.parse(text).aps;
  return ['update', 'end'].includes(event) && Number.isInteger(timestamp) ? undefined : [400, 'BadPayload'];
};

export const judgeBroadcast = (
  headers: IncomingHttpHeaders,
  text: string,
  { topic, channels }: { topic: string; channels: ApnsChannels },
): ApnsRefusal | undefined => judgeBroadcastHeaders(headers, topic, channels) ?? judgeBroadcastPayload(text);

interface ManagementAnswer {
  headers: OutgoingHttpHeaders;
  body?: object;
}

const mostChannels = 10_000;

const makeChannel = (text: string, channels: ApnsChannels): ApnsRefusal | ManagementAnswer => {
  const { 'message-storage-policy': policy, 'push-type': type } = JSON.parse(text || '{}');
  if (type !== 'LiveActivity') return [400, 'InvalidPushType'];
  if (policy !== 0 && policy !== 1) return [400, 'BadMessageStoragePolicy'];
  if (channels.size >= mostChannels) return [400, 'CannotCreateChannelConfig'];
  const id = randomBytes(16).toString('base64');
  channels.set(id, policy);
  return { headers: { ':status': 201, 'apns-channel-id': id } };
};

/** Answers a request to the host that manages channels. */
export const manageChannels = (
  { ':method': method, ':path': path, 'apns-channel-id': given = '' }: IncomingHttpHeaders,
  text: string,
  { topic, channels }: { topic: string; channels: ApnsChannels },
): ApnsRefusal | ManagementAnswer => {
  const [, bundle, what] = /^\/1\/apps\/([^/]+)\/(channels|all-channels)$/.exec(String(path)) ?? [];
  if (what === undefined) return [404, 'BadPath'];
  if (bundle !== topic) return [403, 'TopicMismatch'];
  if (what === 'all-channels')
    return method === 'GET'
      ? { headers: { ':status': 200 }, body: { channels: [...channels.keys()] } }
      : [405, 'MethodNotAllowed'];
  if (method === 'POST') return makeChannel(text, channels);
  const id = String(given);
  const wrong = judgeChannel(id, channels);
  if (wrong) return wrong;
  const body = { 'message-storage-policy': channels.get(id), 'push-type': 'LiveActivity' };
  if (method === 'GET') return { headers: { ':status': 200 }, body };
  if (method !== 'DELETE') return [405, 'MethodNotAllowed'];
  channels.delete(id);
  return { headers: { ':status': 204 } };
};
