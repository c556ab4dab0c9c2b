/** `/outbox`: stored messages, to look at in a browser. They hold personal data, so not each viewer of the board may read them. */
import type { WorkspaceSettings } from '@roster/access';
import type { Previews } from '@roster/channels';
import type { Store } from '@roster/store';
import { type Request, type Response, Router } from 'express';
import { showPage } from '../tell.ts';
import type { Viewer } from '../viewer.ts';
import { deliveryPage, listPage, messagePage } from './pages.ts';
import { most, type Recipient, readDeliveries, readDelivery, readRecipient } from './read.ts';

/** What a message may do in its frame: show itself. */
const messagePolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const loopback = /^(::ffff:)?127\.|^::1$/;

/** The caller sits at this machine, and no proxy speaks for another one. */
const isHere = ({ socket, headers }: Request): boolean =>
  loopback.test(socket.remoteAddress ?? '') &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined;

const refuse = (response: Response, status: 403 | 404): void => {
  response.status(status);
  if (status === 403)
    showPage(
      response,
      'Not from here',
      '<p>Without sign-in the outbox is shown on the same machine only. Open it there or through a tunnel, or make a dashboard user and sign in.</p>',
    );
  else showPage(response, 'Not found', '<p>There is no such message, or it is not yours to see.</p>');
};

const viewerIn = (response: Response): Viewer => response.locals.viewer as Viewer;

const textIn = ({ query }: Request, name: string): string | undefined => {
  const { [name]: value } = query;
  return typeof value === 'string' ? value : undefined;
};

const pageIn = (request: Request): number => {
  const page = Number(textIn(request, 'page') ?? 0);
  return Number.isInteger(page) && page >= 0 && page < most.pages ? page : 0;
};

const mostWorkspaces = 50;

/** Those of which the viewer sees the messages. */
const workspacesOf = async ({ workspaces }: Store, { sees }: Viewer): Promise<string[]> =>
  (await workspaces.list<WorkspaceSettings>())
    .map(({ id }) => id)
    .filter(sees)
    .slice(0, mostWorkspaces);

/** In line with others who look. */
const mostMs = 10_000;

/** As the sender hands it over: the same for each device of a push. */
const leavingOf = ({ leaving }: Previews, { _id: id, ws, channel, kept }: Recipient) => {
  if (!kept) return undefined;
  const { to, added_headers, ...content } = kept;
  const headers = added_headers as Record<string, string> | undefined;
  return leaving(channel, {
    id,
    to: String([to].flat()[0] ?? ''),
    content,
    leave: { ws, until: performance.now() + mostMs },
    ...(headers && { headers }),
  });
};

export const createOutbox = (openStore: () => Promise<Store>, previews: Previews): Router => {
  const routes = Router();

  routes.use((request, response, next) => {
    if (viewerIn(response).isOperator && !isHere(request)) refuse(response, 403);
    else next();
  });

  routes.get('/', async (request, response) => {
    const store = await openStore();
    const workspaces = await workspacesOf(store, viewerIn(response));
    const asked = textIn(request, 'workspace') ?? workspaces[0];
    const ws = workspaces.find((one) => one === asked);
    if (ws === undefined) return refuse(response, 404);
    const page = pageIn(request);
    const deliveries = await readDeliveries(store, ws, page);
    showPage(response, 'Outbox', listPage({ workspaces, ws, page, deliveries }));
  });

  routes.get('/delivery', async (request, response) => {
    const id = textIn(request, 'id') ?? '';
    const found = await readDelivery(await openStore(), id, textIn(request, 'after'));
    if (!found || !viewerIn(response).sees(found.ws)) return refuse(response, 404);
    showPage(response, 'Recipients', deliveryPage(found));
  });

  const recipientIn = async (request: Request, response: Response) => {
    const found = await readRecipient(await openStore(), textIn(request, 'id') ?? '');
    return found && viewerIn(response).sees(found.ws) ? found : undefined;
  };

  routes.get('/message', async (request, response) => {
    const found = await recipientIn(request, response);
    if (!found) return refuse(response, 404);
    showPage(response, 'Message', messagePage(found, await leavingOf(previews, found)));
  });

  routes.get('/html', async (request, response) => {
    const found = await recipientIn(request, response);
    const leaving = found && (await leavingOf(previews, found));
    if (leaving?.is !== 'email') return refuse(response, 404);
    response.set({
      'Content-Security-Policy': messagePolicy,
      'X-Frame-Options': 'SAMEORIGIN',
      'X-DNS-Prefetch-Control': 'off',
    });
    response.type('html').send(leaving.html);
  });

  return routes;
};
