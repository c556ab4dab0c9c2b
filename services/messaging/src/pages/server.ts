/**
 * The server of the pages: its own port, apart from the interface. Those who come here have no key and may be anybody, so it has its own bounds on
 * requests, bytes and time, and reaches nothing but the pages.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { phonePath } from '@roster/channels';
import { callerOf, type Log, trustsOf } from '@roster/runtime';
import { noticePage, notices } from './default/notices.ts';
import { mostFormBytes } from './form.ts';
import type { PageRequest, Pages } from './pages.ts';
import { readForm } from './read-form.ts';
import { ownPage, type PageReply, plainText } from './reply.ts';
import { chooseLanguage } from './words/choose.ts';

export interface PageServerOptions {
  pages: Pages;
  /** What providers of text messages tell. */
  phone: Pages;
  host: string;
  port: number;
  /** IPs and ranges, with commas between them. */
  trustedProxies: string;
  /** `true`, or what is missing. */
  ready(): Promise<true | string>;
  log: Pick<Log, 'error'>;
  onAnswer?(status: number): void;
  /** So long a page may take. */
  withinMs?: number;
  /** The most pages made at once. Beyond that a visitor is asked to come again. */
  atOnce?: number;
}

export interface PageServer {
  port: number;
  close(): Promise<void>;
}

/** A request has to be there as a whole within ten seconds; its headers, with the URL, have 16 KB. */
const serverOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};

const mostConnections = 2_000;

const headerOf = (request: IncomingMessage, name: 'accept-language' | 'content-type'): string =>
  request.headers[name] ?? '';

const plainNotice = (request: IncomingMessage, notice: keyof typeof notices, status?: number): PageReply => {
  const language = chooseLanguage(undefined, headerOf(request, 'accept-language'));
  return ownPage(status ?? notices[notice].status, noticePage(notice, language));
};

const write = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: PageReply,
): void => {
  // What was not read is not waited for.
  const close = request.complete ? {} : { connection: 'close' };
  response.writeHead(status, { ...headers, ...close, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? '' : body);
};

const within = async (ms: number, work: Promise<PageReply>, late: () => PageReply): Promise<PageReply> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<PageReply>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

const splitUrl = (url: string): { path: string; query: string } => {
  const place = url.indexOf('?');
  return place < 0 ? { path: url, query: '' } : { path: url.slice(0, place), query: url.slice(place + 1) };
};

const healthOf = async (path: string, ready: PageServerOptions['ready']): Promise<PageReply | undefined> => {
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

const createAnswer = ({ pages, phone, trustedProxies, ready }: PageServerOptions) => {
  const trusts = trustsOf(trustedProxies);

  return async (request: IncomingMessage): Promise<PageReply> => {
    const { path, query } = splitUrl(request.url ?? '/');
    const health = await healthOf(path, ready);
    if (health) return health;
    const method = methodOf(request.method);
    if (!method) return plainNotice(request, 'broken', 405);
    const body = method === 'POST' ? await readForm(request, mostFormBytes) : '';
    if (body === undefined) return plainNotice(request, 'broken', 413);
    const answer = path.startsWith(phonePath) ? phone : pages;
    return answer({
      method,
      path,
      query,
      ip: callerOf(request, trusts),
      acceptLanguage: headerOf(request, 'accept-language'),
      contentType: headerOf(request, 'content-type'),
      body,
    });
  };
};

const listen = (server: Server, { port, host }: PageServerOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

export const startPageServer = async (options: PageServerOptions): Promise<PageServer> => {
  const { log, onAnswer, withinMs = 10_000, atOnce = 64 } = options;
  const answer = createAnswer(options);
  let atWork = 0;

  /** Never a path in the log: who has a link can open the page. */
  const answered = async (request: IncomingMessage): Promise<PageReply> => {
    const away = (): PageReply => plainNotice(request, 'away');
    if (atWork >= atOnce) return away();
    atWork += 1;
    const work = answer(request)
      .catch((err: unknown) => {
        // A connection that breaks while its form is read is nobody's fault.
        if (!request.destroyed) log.error({ err }, 'a page could not be made');
        return plainNotice(request, 'away', 500);
      })
      .finally(() => {
        atWork -= 1;
      });
    return within(withinMs, work, away);
  };

  const server = createServer(serverOptions, (request, response) => {
    void answered(request).then((reply) => {
      onAnswer?.(reply.status);
      write(request, response, reply);
    });
  });
  server.maxConnections = mostConnections;
  const port = await listen(server, options);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), withinMs).unref();
      }),
  };
};
