/** The application of the pages: which request goes where, and how a page gets its place and its time. */
import type { IncomingMessage } from 'node:http';
import { withinTime } from '@roster/contract';
import { callerOf, householdOf, type Log, type Trusts, trustsOf } from '@roster/runtime';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { PageBounds, Places } from './bounds.ts';
import { type Notice, noticePage, notices } from './default/notices.ts';
import type { Answer, PageRequest, Route } from './pages.ts';
import { createReceive, type ReceivedForm, type ReceiveOptions } from './receive-form.ts';
import { ownPage, type PageReply, plainText } from './reply.ts';
import { chooseLanguage } from './words/choose.ts';

export interface AppOptions extends ReceiveOptions {
  /** The first that fits answers. */
  routes: readonly Route[];
  /** Answers where no route fits. */
  other: Answer;
  /** IPs and ranges, with commas between them. */
  trustedProxies: string;
  /** `true`, or what is missing. */
  ready(): Promise<true | string>;
  log: Pick<Log, 'error'>;
  onAnswer?(status: number): void;
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

/** Routes see the address as it stands: one that is written in another way is not ours, and Express would decode it, or take a whole URL for its path. */
const asItStands: RequestHandler = (request, _response, next) => {
  request.url = splitUrl(request.url).path.replace(/[^\w./~-]/g, encodeURIComponent);
  next();
};

/** Nobody is there any more to read the reply to a form that is gone. */
const replyToFailed = (request: IncomingMessage, failed: 'large' | 'late' | 'gone' | 'crowd'): PageReply => {
  if (failed === 'crowd') return notice(request, 'tooMany');
  return notice(request, 'broken', failed === 'large' ? 413 : 408);
};

const write = (response: Response, { status, headers, body }: PageReply): void => {
  const { req: request } = response;
  // What was not read is not waited for.
  const close = request.complete ? {} : { connection: 'close' };
  response.writeHead(status, { ...headers, ...close, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? '' : body);
};

type Failed = (request: IncomingMessage, err: unknown) => PageReply;

const createMake =
  (working: Places, { pageWithinMs }: PageBounds, failed: Failed) =>
  async (
    request: IncomingMessage,
    asked: PageRequest,
    answer: Answer,
    drop = () => {},
  ): Promise<PageReply> => {
    const away = (): PageReply => notice(request, 'away');
    const leave = working.take(asked.network);
    if (!leave) {
      drop();
      return away();
    }
    const work = answer(asked)
      .catch((err: unknown) => failed(request, err))
      .finally(() => {
        leave();
        drop();
      });
    return withinTime(pageWithinMs, work, away);
  };

const askedOf = (request: Request, trusts: Trusts): Omit<PageRequest, 'body'> => ({
  method: request.method === 'POST' ? 'POST' : 'GET',
  ...splitUrl(request.originalUrl),
  params: request.params as PageRequest['params'],
  network: householdOf(callerOf(request, trusts)),
  acceptLanguage: headerOf(request, 'accept-language'),
  contentType: headerOf(request, 'content-type'),
  header: (name) => [request.headers[name] ?? ''].flat().join(', '),
});

const noForm: ReceivedForm = { body: '' };

/** From a request as it comes to the reply of a page: its form, and a place to make the page. */
const createReplyOf = (options: AppOptions, bounds: PageBounds, working: Places, failed: Failed) => {
  const trusts = trustsOf(options.trustedProxies);
  const receive = createReceive(bounds, options);
  const make = createMake(working, bounds, failed);
  return async (request: Request, answer: Answer): Promise<PageReply> => {
    const asked = askedOf(request, trusts);
    const form = asked.method === 'POST' ? await receive(request, asked) : noForm;
    if ('failed' in form) return replyToFailed(request, form.failed);
    const drop = 'drop' in form ? form.drop : undefined;
    return make(request, { ...asked, body: form.body }, answer, drop);
  };
};

const healthReply = (verdict: true | string): PageReply =>
  verdict === true ? plainText(200, 'ok\n') : plainText(503, `${verdict}\n`);

export const createApp = (options: AppOptions, bounds: PageBounds, working: Places): Express => {
  const { routes, other, ready, log, onAnswer } = options;
  const failed: Failed = (request, err) => {
    log.error({ err }, 'answering a page request failed');
    return notice(request, 'away', 500);
  };
  const replyOf = createReplyOf(options, bounds, working, failed);

  /** Whether all of the request has come is known a moment after its headers, so even a reply that is there at once waits for it. */
  const send = async (response: Response, made: PageReply | Promise<PageReply>): Promise<void> => {
    const reply = await made;
    onAnswer?.(reply.status);
    write(response, reply);
  };
  const page =
    (answer: Answer): RequestHandler =>
    (request, response) =>
      send(response, replyOf(request, answer));
  const refuseOtherMethods: RequestHandler = (request, response, next) =>
    ['GET', 'HEAD', 'POST'].includes(request.method)
      ? next()
      : send(response, notice(request, 'broken', 405));
  // Express tells a handler of errors by its four parameters.
  const onError: ErrorRequestHandler = (err, request, response, _next) =>
    send(response, failed(request, err));

  const app = express();
  app.disable('x-powered-by').set('query parser', false);
  app.enable('case sensitive routing').enable('strict routing');
  app.use(asItStands);
  app.all('/robots.txt', (_, response) => send(response, plainText(200, 'User-agent: *\nDisallow: /\n')));
  app.all('/health/live', (_, response) => send(response, healthReply(true)));
  app.all('/health/ready', (_, response) => send(response, ready().then(healthReply)));
  app.use(refuseOtherMethods);
  for (const [method, path, answer] of routes) app[method](path, page(answer));
  app.use(page(other), onError);
  return app;
};
