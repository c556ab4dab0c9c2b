/** Questions over HTTP and their answers, in bounded time and memory. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isInClear } from '@roster/names';
import type { Limits } from '../bounds.ts';
import { attempted, textAt } from '../members.ts';
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
  if (tls?.mode !== 'off' && isInClear(url.href))
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

/** The head of an answer, and what a server sends before it, which no parser bounds. */
const headBytes = 262_144;

/** What stands between its chunks may be an eighth of the text: a parser hands on each chunk by itself, and tiny ones are many. */
const textPerFrame = 8;

const tooMuch = ({ url }: Question): SourceError =>
  new SourceError('not_this_protocol', `${url.host} sends more than it was asked for`);

/** The text grows in one place: kept by themselves, a million small parts would take many times as much. */
const createText = (question: Question) => {
  let [held, bytes] = [Buffer.alloc(0), 0];
  return {
    bytes: (): number => bytes,
    add(part: Buffer): void {
      const end = bytes + part.length;
      if (end > question.mostBytes) throw tooMuch(question);
      if (end > held.length) {
        const larger = Buffer.allocUnsafe(Math.max(end, 2 * held.length, 16_384));
        held.copy(larger, 0, 0, bytes);
        held = larger;
      }
      part.copy(held, bytes);
      bytes = end;
    },
    body: (): Buffer => held.subarray(0, bytes),
  };
};

type Text = ReturnType<typeof createText>;

/** Gives its error once there were too many: a response that is cut tells nothing but that. */
const boundBytes = (
  request: ClientRequest,
  question: Question,
  text: Text,
): (() => SourceError | undefined) => {
  let bytes = 0;
  let error: SourceError | undefined;
  request.once('socket', (socket) =>
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= headBytes + text.bytes() + text.bytes() / textPerFrame) return;
      error ??= tooMuch(question);
      request.destroy(error);
    }),
  );
  return () => error;
};

/** A server that wants to speak another protocol, and one that closes without a word, tell no error of their own. */
const responseTo = (request: ClientRequest, question: Question): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { host } = question.url;
    request.once('response', resolve).once('error', reject);
    request.once('close', () => reject(wasLost(host)));
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new SourceError('not_this_protocol', `${host} answers in another protocol`));
    });
  });

const answerIn = async (response: IncomingMessage, text: Text): Promise<Answer> => {
  for await (const part of response as AsyncIterable<Buffer>) text.add(part);
  return { status: response.statusCode ?? 0, headers: response.headers, body: text.body() };
};

/** Also a head that ends too early is an error of the parser. */
const notHttp = (error: unknown, { host }: URL): SourceError | undefined =>
  /^HPE_(?!INVALID_EOF_STATE$)/.test(textAt(error, 'code'))
    ? new SourceError('not_this_protocol', `what answers at ${host} does not speak HTTP`)
    : undefined;

export const exchange = async (question: Question): Promise<Answer> => {
  const { url, limits, signal } = question;
  const request = open(question);
  const text = createText(question);
  const tooMany = boundBytes(request, question, text);
  const inTime = <T>(ms: number, work: () => Promise<T>): Promise<T> =>
    within(ms, url.host, { drop: () => request.destroy() }, work);
  try {
    request.end(question.body);
    return await inTime(limits.silenceMs, async () => {
      const response = await inTime(limits.questionMs, () => responseTo(request, question));
      return answerIn(response, text);
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof SourceError) throw error;
    throw tooMany() ?? networkError(error, url.host) ?? notHttp(error, url) ?? wasLost(url.host);
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

/** Of one answer: what is parsed takes many times as much as its text, most of all lists of nothing. */
const mostValues = 4_000_000;

const isOfValues = new Set([...'[{,'].map((sign) => sign.charCodeAt(0)));

/** In texts too: an answer of rows has few there. */
const hasTooManyValues = (text: string, most: number): boolean => {
  let values = 0;
  for (let at = 0; at < text.length && values <= most; at += 1)
    if (isOfValues.has(text.charCodeAt(at))) values += 1;
  return values > most;
};

export const parsed = (text: string): unknown => attempted(() => JSON.parse(text), undefined);

/** `value` is undefined where the answer is no JSON. */
export const exchangeJson = async (question: Question, most = mostValues) => {
  const answer = await exchange(question);
  const text = await textOf(answer, question);
  if (hasTooManyValues(text, most)) throw tooMuch(question);
  return { status: answer.status, value: parsed(text) };
};
