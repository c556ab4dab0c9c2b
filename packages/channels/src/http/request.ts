/** One request to a server: to public hosts only unless private ones are allowed, without following redirects, within its time. */
import { isIP } from 'node:net';
import type { Answer, Leave } from '../outgoing.ts';
import { anyTime } from '../places.ts';
import type { Connections } from './connections.ts';
import { exchange, type HttpResponse } from './exchange.ts';
import { whyUnknown } from './known-host.ts';
import { isPrivate } from './private-ips.ts';

export interface HttpRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

export interface HttpOptions {
  /** Also to hosts in networks of one's own. */
  allowPrivate?: boolean;
  timeoutMs?: number;
  leave?: Leave | undefined;
  connections: Connections;
  /** Whether the text of the answer is waited for. */
  readsText?: boolean;
}

const usualTimeoutMs = 10_000;

const parsed = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** Name and password of the URL. */
const credentialsOf = ({ username, password }: URL): Record<string, string> | undefined => {
  if (username === '' && password === '') return {};
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  } catch {
    return undefined;
  }
};

const invalid = (words: string): Answer => ({ state: 'refused', reason: 'request_invalid', words });

/** What the server answered, or what became of a request without an answer. */
export const sendRequest = async (
  { url: text, method, headers, body }: HttpRequest,
  options: HttpOptions,
): Promise<HttpResponse | Answer> => {
  const { allowPrivate = false, timeoutMs = usualTimeoutMs, readsText = false } = options;
  const { leave = anyTime, connections } = options;
  const url = parsed(text);
  if (!url) return invalid('the URL must begin with https:// or http://');
  const host = withoutBrackets(url.hostname);
  if (!allowPrivate && isIP(host) !== 0 && isPrivate(host))
    return { state: 'refused', reason: 'private_network' };
  const credentials = credentialsOf(url);
  if (!credentials) return invalid('the URL has a name or password that cannot be read');
  const unknown = await whyUnknown(host, { names: connections.names, leave, allowPrivate });
  if (unknown) return unknown;
  const request = {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...credentials, ...headers },
    body,
    reset: !connections.isKept(url.origin),
  };
  const agent = connections.agentFor(allowPrivate);
  return connections.inPlace(url.origin, leave, () => exchange(agent, request, { timeoutMs, readsText }));
};
