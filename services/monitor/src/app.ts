/** The public face of the monitor: the board, for looking. */

import type { Previews } from '@roster/channels';
import type { Store } from '@roster/store';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { type Board, boardPath } from './board.ts';
import { createOutbox } from './outbox/outbox.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { showPage, tell } from './tell.ts';
import type { Viewer } from './viewer.ts';
import { bannerOf, type Waits } from './waits.ts';

/** The board brings its own scripts and styles (some of them inline); nothing comes from anywhere else. */
const headers: Record<string, string> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // With `no-referrer` browsers send `Origin: null` with our own forms.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const withSafeHeaders = (_request: Request, response: Response, next: NextFunction): void => {
  response.set(headers);
  next();
};

const lookingOnly =
  'This is the board, which is for looking only. The API has another port (PORT, usually 8080).';

const onlyLooking = (request: Request, response: Response, next: NextFunction): void => {
  if (request.method === 'GET' || request.method === 'HEAD') next();
  else tell(request, response.set('Allow', 'GET, HEAD'), 405, lookingOnly);
};

/** From the metadata of the collections: no document is read. */
const countsOf = async ({ profiles, messages }: Store): Promise<Record<string, number>> => ({
  People: await profiles.estimatedDocumentCount(),
  'Messages, sent or planned': await messages.schedules.estimatedDocumentCount(),
  'Recipients of messages': await messages.sends.estimatedDocumentCount(),
});

const nothing = (): Record<string, number> => ({});

const line = (name: string, text: string): string => `<dt>${name}</dt><dd>${text}</dd>`;

const linked = [
  line('Board', '<a href="/board">board</a>: requests that wait, and those that failed'),
  line('Outbox', '<a href="/outbox">outbox</a>: messages, also those that were stored instead of being sent'),
];

/** Who is asked for no sign-in runs the deployment, or can reach what only they should. */
const openDoor = line(
  'Sign-in',
  'not asked for until there is a dashboard user. The first one: <code>roster dashboard invite you@example.com</code>',
);

const isPage = ({ path }: Request): boolean => !path.startsWith('/api/') && !path.startsWith('/static/');

/** `/`: what there is to look at, and how much is stored. MongoDB may be away: then nothing is counted. What a deployment holds is for its operator. */
const createHome =
  (openStore: () => Promise<Store>, waits: Waits): RequestHandler =>
  async (_request, response) => {
    const { isOperator } = response.locals.viewer as Viewer;
    const banner = bannerOf(await waits());
    const counts = isOperator ? await openStore().then(countsOf).catch(nothing) : nothing();
    const counted = Object.entries(counts).map(([name, count]) => line(name, count.toLocaleString('en-US')));
    const lines = [...linked, ...(isOperator ? [openDoor] : []), ...counted];
    showPage(response, 'Roster', `${banner}<div class="card"><dl>${lines.join('\n')}</dl></div>`);
  };

const notFound = (request: Request, response: Response): void => tell(request, response, 404, 'Invalid URL');

/** The queues wait for Redis; a request for the board gets 503 at once instead. */
const onlyWhenThere =
  (isThere: () => boolean) =>
  (request: Request, response: Response, next: NextFunction): void => {
    if (isThere()) next();
    else tell(request, response, 503, 'Redis is away');
  };

/** Express knows an error handler by its four parameters. Nothing of the inside is told. */
const without =
  (what: string) =>
  (error: { status?: number }, request: Request, response: Response, _next: NextFunction): void => {
    if (response.headersSent) return;
    if (error.status === 400)
      tell(request, response, 400, 'A sign in this address is not written as it must be.');
    else tell(request, response, 503, `${what} is away. Try again in a moment.`);
  };

interface Parts {
  board: Board;
  isRedisThere(): boolean;
  signIn: SignIn;
  openStore(): Promise<Store>;
  trustedProxies: string;
  previews: Previews;
  outboxToken: string;
  waits: Waits;
}

export const createApp = (parts: Parts): Express => {
  const { board, isRedisThere, signIn, openStore, trustedProxies, previews, waits } = parts;
  const outbox = { openStore, previews, token: parts.outboxToken };
  const app = express();
  app.disable('x-powered-by').disable('etag');
  if (trustedProxies) app.set('trust proxy', trustedProxies);
  app.use(withSafeHeaders, signIn.routes, onlyLooking);
  app.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  app.use(signIn.gate);
  app.get('/', createHome(openStore, waits));
  app.use('/outbox', createOutbox(outbox), without('MongoDB'));
  app.use(`${boardPath}/api`, onlyWhenThere(isRedisThere));
  app.use(boardPath, async (request, response, next) => {
    const { viewer } = response.locals;
    board(viewer, request, response, next, isPage(request) ? bannerOf(await waits()) : '');
  });
  app.use(notFound);
  app.use(without('Redis'));
  return app;
};
