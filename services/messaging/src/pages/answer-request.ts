/** From a request as it comes to the reply: what is asked for, its form, and a place to make the page. */
import type { IncomingMessage } from 'node:http';
import { phonePath } from '@roster/channels';
import { withinTime } from '@roster/contract';
import { callerOf, householdOf, type Log, trustsOf } from '@roster/runtime';
import {
  createPlaces,
  createWaiting,
  mostCallBytes,
  type PageBounds,
  type Places,
  takeFrom,
} from './bounds.ts';
import { type Notice, noticePage, notices } from './default/notices.ts';
import { mostFormBytes } from './form.ts';
import type { PageRequest, Pages } from './pages.ts';
import { ownPage, type PageReply, plainText } from './reply.ts';
import { chooseLanguage } from './words/choose.ts';

/** `gone`: the connection was closed before the end. */
type PostedForm = { body: string } | { failed: 'large' | 'late' | 'gone' };

/** The body of a form, as text. Settles whatever happens to the connection. What comes after that is not kept. */
const usualReadForm = (
  request: IncomingMessage,
  { mostBytes, withinMs }: { mostBytes: number; withinMs: number },
): Promise<PostedForm> =>
  new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const settle = (form: PostedForm): void => {
      clearTimeout(timer);
      request.off('data', keep).off('end', end).off('close', gone).pause();
      resolve(form);
    };
    const keep = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes > mostBytes) settle({ failed: 'large' });
      else pieces.push(piece);
    };
    const end = (): void => settle({ body: Buffer.concat(pieces).toString() });
    const gone = (): void => settle({ failed: 'gone' });
    const timer = setTimeout(() => settle({ failed: 'late' }), withinMs);
    request.on('data', keep).on('end', end).on('close', gone);
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) settle({ failed: 'large' });
    else if (request.destroyed) gone();
  });

export interface AnswerRequestOptions {
  pages: Pages;
  /** What providers of text messages tell. */
  phone: Pages;
  /** Whether it is an address for such a provider, which only Roster can have made. */
  isOfProvider(path: string): boolean;
  /** IPs and ranges, with commas between them. */
  trustedProxies: string;
  /** `true`, or what is missing. */
  ready(): Promise<true | string>;
  readForm?: typeof usualReadForm;
  log: Pick<Log, 'error'>;
}

const headerOf = (request: IncomingMessage, name: 'accept-language' | 'content-type'): string =>
  request.headers[name] ?? '';

const notice = (request: IncomingMessage, which: Notice, status?: number): PageReply => {
  const language = chooseLanguage(undefined, headerOf(request, 'accept-language'));
  return ownPage(status ?? notices[which].status, noticePage(which, language));
};

const splitUrl = (url: string): { path: string; query: string } => {
  const place = url.indexOf('?');
  return place < 0 ? { path: url, query: '' } : { path: url.slice(0, place), query: url.slice(place + 1) };
};

const healthOf = async (path: string, ready: AnswerRequestOptions['ready']) => {
  if (path === '/robots.txt') return plainText(200, 'User-agent: *\nDisallow: /\n');
  if (path === '/health/live') return plainText(200, 'ok\n');
  if (path !== '/health/ready') return undefined;
  const verdict = await ready();
  return verdict === true ? plainText(200, 'ok\n') : plainText(503, `${verdict}\n`);
};

const methodOf = (method: string | undefined): PageRequest['method'] | undefined => {
  if (method === 'GET' || method === 'HEAD') return 'GET';
  return method === 'POST' ? 'POST' : undefined;
};

/** `drop`: nobody needs its bytes any more. */
type ReceivedForm = PostedForm | { failed: 'crowd' } | { body: string; drop(): void };

const mayBeLarge = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) > mostFormBytes &&
  /^application\/json\b/i.test(headers['content-type'] ?? '');

/** A form that is still on its way has a place of its own, and none of those where pages are made. A large call keeps its place as long as its bytes are here. */
const createReceive = (
  bounds: PageBounds,
  { isOfProvider, readForm = usualReadForm }: AnswerRequestOptions,
) => {
  const [receiving, calls] = [createPlaces(bounds.receiving), createPlaces(bounds.calls)];
  const waiting = createWaiting();
  const withinMs = bounds.bodyWithinMs;

  const receiveCall = async (request: IncomingMessage, path: string): Promise<ReceivedForm> => {
    const drop = calls.take(path);
    if (!drop) return { failed: 'crowd' };
    const form = await readForm(request, { mostBytes: mostCallBytes, withinMs });
    if ('body' in form) return { ...form, drop };
    drop();
    return form;
  };

  const receiveForm = async (request: IncomingMessage, network: string): Promise<ReceivedForm> => {
    const leave = takeFrom(receiving, waiting, network);
    if (!leave) return { failed: 'crowd' };
    const over = waiting.add(network, () => {
      over();
      leave();
      request.socket.destroy();
    });
    const form = await readForm(request, { mostBytes: mostFormBytes, withinMs });
    over();
    leave();
    return form;
  };

  return (request: IncomingMessage, network: string, path: string): Promise<ReceivedForm> =>
    mayBeLarge(request) && isOfProvider(path) ? receiveCall(request, path) : receiveForm(request, network);
};

/** Nobody is there any more to read the reply to a form that is gone. */
const replyToFailed = (request: IncomingMessage, failed: 'large' | 'late' | 'gone' | 'crowd'): PageReply => {
  if (failed === 'crowd') return notice(request, 'tooMany');
  return notice(request, 'broken', failed === 'large' ? 413 : 408);
};

const createMake =
  (working: Places, { pageWithinMs }: PageBounds, { pages, phone, log }: AnswerRequestOptions) =>
  async (request: IncomingMessage, asked: PageRequest, drop: () => void): Promise<PageReply> => {
    const away = (): PageReply => notice(request, 'away');
    const leave = working.take(asked.network);
    if (!leave) {
      drop();
      return away();
    }
    const make = asked.path.startsWith(phonePath) ? phone : pages;
    const work = make(asked)
      .catch((err: unknown) => {
        log.error({ err }, 'answering a page request failed');
        return notice(request, 'away', 500);
      })
      .finally(() => {
        leave();
        drop();
      });
    return withinTime(pageWithinMs, work, away);
  };

export const createAnswerRequest = (
  options: AnswerRequestOptions,
  bounds: PageBounds,
  working: Places,
): ((request: IncomingMessage) => Promise<PageReply>) => {
  const trusts = trustsOf(options.trustedProxies);
  const receive = createReceive(bounds, options);
  const make = createMake(working, bounds, options);

  return async (request) => {
    const { path, query } = splitUrl(request.url ?? '/');
    const health = await healthOf(path, options.ready);
    if (health) return health;
    const method = methodOf(request.method);
    if (!method) return notice(request, 'broken', 405);
    const network = householdOf(callerOf(request, trusts));
    const form = method === 'POST' ? await receive(request, network, path) : { body: '' };
    if ('failed' in form) return replyToFailed(request, form.failed);
    const asked = {
      method,
      path,
      query,
      network,
      acceptLanguage: headerOf(request, 'accept-language'),
      contentType: headerOf(request, 'content-type'),
      header: (name: string) => [request.headers[name] ?? ''].flat().join(', '),
      body: form.body,
    };
    return make(request, asked, 'drop' in form ? form.drop : () => {});
  };
};
