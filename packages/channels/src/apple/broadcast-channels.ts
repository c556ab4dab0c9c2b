/** Makes, lists, shows and deletes the broadcast channels of an app at APNs. */
import { withoutSecrets } from '@roster/contract';
import { openNames } from '@roster/names';
import type { Credentials } from '../credentials.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { openSessions } from '../http/sessions.ts';
import { answerTo } from '../http/status.ts';
import { parsedJson } from '../json.ts';
import { createKept } from '../kept.ts';
import type { Answer } from '../outgoing.ts';
import { alone } from '../secrets.ts';
import { nameOf } from '../tokens.ts';
import { appleToken, mismatches, saidIn, toChannel, usualUrl } from './send-apple.ts';

/** Channels are managed at other servers than those that take pushes. */
const managers: Readonly<Record<string, string>> = {
  'api.push.apple.com': 'https://api-manage-broadcast.push.apple.com:2196',
  'api.sandbox.push.apple.com': 'https://api-manage-broadcast.sandbox.push.apple.com:2195',
  'api.development.push.apple.com': 'https://api-manage-broadcast.sandbox.push.apple.com:2195',
};

/** A server that is none of Apple's is asked itself. */
export const managerOf = (url = usualUrl): string => managers[new URL(url).hostname] ?? url;

/** 10,000 ids of 256 characters, and what stands between them. */
const mostBytes = 3 * 1024 * 1024;

const usualTimeoutMs = 30_000;

type Failure = Exclude<Answer, { state: 'sent' }>;

export type Managed<Value> = { state: 'done'; value: Value } | Failure;

interface Asked {
  method: 'GET' | 'POST' | 'DELETE';
  path?: 'channels' | 'all-channels';
  channel?: string;
  body?: object;
}

const unreadable = { state: 'refused', reason: 'answer_unreadable' } as const;

const failureIn = (answer: Answer): Failure => (answer.state === 'sent' ? unreadable : answer);

const isChannel = (id: unknown): id is string => typeof id === 'string' && toChannel.address.test(id);

/** In the words of APNs. */
const noChannel = { state: 'refused', reason: 'request_invalid', words: 'BadChannelId' } as const;

const listIn = (text: string): string[] | undefined => {
  const { channels } = (parsedJson(text) ?? {}) as { channels?: unknown };
  return Array.isArray(channels) && channels.every(isChannel) ? channels : undefined;
};

const policyIn = (text: string): { stores: boolean } | undefined => {
  const said = (parsedJson(text) ?? {}) as Record<string, unknown>;
  const policy = said['message-storage-policy'];
  return policy === 0 || policy === 1 ? { stores: policy === 1 } : undefined;
};

export const openBroadcastChannels = (
  credentials: Credentials['ios_push'],
  { timeoutMs = usualTimeoutMs }: { timeoutMs?: number } = {},
) => {
  const { url: pushUrl, key, key_id, team_id, topic } = credentials;
  const names = openNames();
  const sessions = openSessions(names);
  const tokens = createKept<string>();
  const [url, name] = [managerOf(pushUrl), nameOf([key, key_id, team_id])];

  const proof = (): { token: string } | Failure => {
    try {
      return { token: appleToken(tokens, name, credentials, Date.now()) };
    } catch (error) {
      return { state: 'later', reason: 'credentials_unreadable', words: (error as Error).message };
    }
  };

  const ask = async <Value>(
    { method, path = 'channels', channel, body }: Asked,
    read: (response: HttpResponse) => Value | undefined,
  ): Promise<Managed<Value>> => {
    if (channel !== undefined && !isChannel(channel)) return noChannel;
    const proven = proof();
    if ('state' in proven) return proven;
    const { token } = proven;
    const response = await sessions.request(`${url} ${name}`, url, {
      headers: {
        ':method': method,
        ':path': `/1/apps/${topic}/${path}`,
        authorization: `bearer ${token}`,
        ...(channel !== undefined && { 'apns-channel-id': channel }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : '',
      answerBytes: mostBytes,
      timeoutMs,
    });
    if ('state' in response) return failureIn(response);
    const { word } = saidIn(response.text);
    const words = withoutSecrets(withoutSecrets(word, alone(token)), alone(key));
    const answer = answerTo(response, Date.now(), { words, hasKeys: true, isMismatch: mismatches.has(word) });
    if (answer.state !== 'sent') return answer;
    const value = read(response);
    return value === undefined ? unreadable : { state: 'done', value };
  };

  return {
    create: (stores: boolean): Promise<Managed<string>> =>
      ask(
        {
          method: 'POST',
          body: { 'message-storage-policy': stores ? 1 : 0, 'push-type': 'LiveActivity' },
        },
        ({ headers }) => [headers['apns-channel-id']].flat().find(isChannel),
      ),
    list: () => ask({ method: 'GET', path: 'all-channels' }, ({ text }) => listIn(text)),
    show: (channel: string) => ask({ method: 'GET', channel }, ({ text }) => policyIn(text)),
    delete: (channel: string) => ask({ method: 'DELETE', channel }, () => true as const),
    close(): void {
      sessions.close();
      names.close();
    },
  };
};
