/** Sends a webhook: signed, to public hosts only, without following redirects, within its time. */
import { lookup as lookUp } from 'node:dns';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Answer } from '../answer.ts';
import type { Connections } from './connections.ts';
import { isPrivate } from './private-ips.ts';
import { signatureHeaders } from './signature.ts';

export const methods = ['POST', 'PUT', 'DELETE', 'GET'] as const;

export interface Webhook {
  /** The same for each try, so that the receiver knows a repetition. */
  id: string;
  url: string;
  method: (typeof methods)[number];
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface WebhookOptions {
  secret?: string;
  /** Also to hosts in networks of one's own. */
  allowPrivate?: boolean;
  timeoutMs?: number;
  /** Kept from one webhook to the next; without them each has its own. */
  connections?: Connections;
  now?(): number;
}

class PrivateHost extends Error {
  constructor(host: string) {
    super(`${host} is in a private network`);
  }
}

/** Judges the IP that is really connected to: a name may lead to another one a moment later. */
const publicOnly: LookupFunction = (host, options, callback) => {
  lookUp(host, { ...options, all: true }, (error, found) => {
    const hidden = found?.find(({ address }) => isPrivate(address));
    if (error || hidden) return callback(error ?? new PrivateHost(host), '', 0);
    if (options.all) return callback(null, found);
    const [first] = found;
    callback(null, first?.address ?? '', first?.family ?? 0);
  });
};

/** So much of an answer is read; the rest is not waited for. */
const mostAnswerBytes = 16 * 1024;
const usualTimeoutMs = 10_000;

/** Headers that belong to the connection, or that tell who is asked. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'webhook-id', 'webhook-signature', 'webhook-timestamp'],
]);

const headersOf = ({ id, headers = {}, body = '' }: Webhook, { secret, now = Date.now }: WebhookOptions) => ({
  'user-agent': 'Roster',
  ...Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !ownHeaders.has(name)),
  ),
  ...(secret !== undefined && signatureHeaders(secret, { id, time: now(), body })),
  'content-length': String(Buffer.byteLength(body)),
});

const parsed = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** `Retry-After` in seconds or as a date. */
const afterMsIn = (
  { headers: { 'retry-after': after } }: IncomingMessage,
  now: number,
): number | undefined => {
  if (after === undefined) return undefined;
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};

const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

const answerOf = (response: IncomingMessage, now: number): Answer => {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return { state: 'sent' };
  const reason = `the receiver answered ${status}`;
  if (status >= 300 && status < 400)
    return { state: 'refused', reason: `${reason}: redirects are not followed` };
  if (status < 500 && !passing.has(status)) return { state: 'refused', reason };
  const afterMs = afterMsIn(response, now);
  return { state: 'later', reason, ...(afterMs !== undefined && { afterMs }) };
};

/** The rest of an answer is of no interest, and its sender may never end it. */
const discard = (response: IncomingMessage): void => {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostAnswerBytes) response.destroy();
  });
  response.on('error', () => {});
};

const failureOf = (error: Error, wasWritten: boolean): Answer => {
  if (error instanceof PrivateHost) return { state: 'refused', reason: error.message };
  return { state: wasWritten ? 'unknown' : 'later', reason: error.message };
};

const exchange = (
  sending: ClientRequest,
  body: string,
  { timeoutMs = usualTimeoutMs, now = Date.now }: WebhookOptions,
) =>
  new Promise<Answer>((resolve) => {
    let wasWritten = false;
    const timer = setTimeout(() => sending.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const end = (answer: Answer): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    sending.on('error', (error) => end(failureOf(error, wasWritten)));
    sending.on('response', (response) => {
      discard(response);
      end(answerOf(response, now()));
      const rest = setTimeout(() => response.destroy(), timeoutMs).unref();
      response.once('close', () => clearTimeout(rest));
    });
    sending.on('socket', (socket) => {
      const connected = (): void => {
        wasWritten = true;
      };
      if (socket.connecting)
        socket.once(sending.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
      else connected();
    });
    sending.end(body);
  });

const agentFor = ({ protocol }: URL, { connections, allowPrivate = false }: WebhookOptions) =>
  connections?.agentFor(protocol, allowPrivate) ?? false;

export const sendWebhook = async (webhook: Webhook, options: WebhookOptions = {}): Promise<Answer> => {
  const url = parsed(webhook.url);
  if (!url) return { state: 'refused', reason: 'the URL must begin with https:// or http://' };
  const host = withoutBrackets(url.hostname);
  if (!options.allowPrivate && isIP(host) !== 0 && isPrivate(host))
    return { state: 'refused', reason: new PrivateHost(host).message };
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    const sending = request(url, {
      method: webhook.method,
      headers: headersOf(webhook, options),
      agent: agentFor(url, options),
      ...(!options.allowPrivate && { lookup: publicOnly }),
    });
    return await exchange(sending, webhook.body ?? '', options);
  } catch (error) {
    // A header that can't be sent.
    return { state: 'refused', reason: (error as Error).message };
  }
};
