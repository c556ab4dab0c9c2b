/** Questions over HTTP and their answers, in bounded time and memory. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isThisMachine } from '@roster/names';
import type { Limits } from '../bounds.ts';
import { attempted } from '../members.ts';
import { lookup } from '../names.ts';
import { networkError, wasLost } from '../network-errors.ts';
import { within } from '../server/protocol.ts';
import { type Tls, tlsOptions } from '../settings.ts';
import { bad, SourceError } from '../source-error.ts';

/** The address of an interface: host and port, nothing else. What is said to it, tokens among it, goes to another machine in clear only where the settings say so. */
export const endpointOf = (text: string, tls: Tls | undefined): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.pathname === '/' && !url.search && !url.hash && !url.username;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol))
    throw bad('the endpoint must look like https://host:port');
  if (url.protocol === 'http:' && tls?.mode !== 'off' && !isThisMachine(url.hostname))
    throw bad('an endpoint with http:// needs tls: "off", because what is sent there can be read on the way');
  return url;
};

export interface Question {
  readonly url: URL;
  /** Sent by POST. */
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Tls | undefined;
  readonly mostBytes: number;
  readonly limits: Pick<Limits, 'questionMs' | 'silenceMs'>;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const open = ({ url, body, headers, tls, signal }: Question): ClientRequest => {
  const method = body === undefined ? 'GET' : 'POST';
  const options = { method, headers, signal, lookup, agent: false as const };
  return url.protocol === 'https:'
    ? requestHttps(url, { ...options, ...tlsOptions(tls) })
    : requestHttp(url, options);
};

/** The head of an answer, and what a server sends before it or between its chunks, which no parser bounds. */
const headBytes = 262_144;

/** The text has a bound of its own, which tells more. */
const boundBytes = (request: ClientRequest, { mostBytes, url }: Question): void => {
  let bytes = 0;
  request.once('socket', (socket) =>
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > headBytes + 2 * mostBytes)
        request.destroy(new SourceError('not_this_protocol', `${url.host} sends more than it was asked for`));
    }),
  );
};

const answerIn = async (response: IncomingMessage, { mostBytes, url }: Question): Promise<Answer> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes)
      throw new SourceError('not_this_protocol', `${url.host} sends more than it was asked for`);
    parts.push(part);
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) };
};

export const exchange = async (question: Question): Promise<Answer> => {
  const { url, limits, signal } = question;
  const request = open(question);
  boundBytes(request, question);
  const inTime = <T>(ms: number, work: () => Promise<T>): Promise<T> =>
    within(ms, url.host, { drop: () => request.destroy() }, work);
  try {
    request.end(question.body);
    return await inTime(limits.silenceMs, async () => {
      const [response] = await inTime(limits.questionMs, () => once(request, 'response'));
      return answerIn(response, question);
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof SourceError) throw error;
    throw networkError(error, url.host) ?? wasLost(url.host);
  } finally {
    request.destroy();
  }
};

const unzip = promisify(gunzip);

/** Some servers zip their answers unasked. */
const textOf = async ({ headers, body }: Answer, { mostBytes, url }: Question): Promise<string> => {
  if (headers['content-encoding'] !== 'gzip') return body.toString('utf8');
  try {
    return (await unzip(body, { maxOutputLength: mostBytes })).toString('utf8');
  } catch {
    throw new SourceError('not_this_protocol', `${url.host} sends more than it was asked for, or no gzip`);
  }
};

export const parsed = (text: string): unknown => attempted(() => JSON.parse(text), undefined);

/** `value` is undefined where the answer is no JSON. */
export const exchangeJson = async (question: Question) => {
  const answer = await exchange(question);
  return { status: answer.status, value: parsed(await textOf(answer, question)) };
};
