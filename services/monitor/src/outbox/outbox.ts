/** `/outbox`: stored messages, to look at in a browser. They hold personal data, so not each viewer of the board may read them. */
import type { WorkspaceSettings } from '@roster/access';
import type { Previews } from '@roster/channels';
import { present } from '@roster/contract';
import type { Store } from '@roster/store';
import { type Request, type Response, Router } from 'express';
import { showPage } from '../tell.ts';
import type { Viewer } from '../viewer.ts';
import { createOpenDoor } from './open-door.ts';
import { deliveryPage, listPage, messagePage } from './pages.ts';
import { type Delivery, most, type Recipient, readDeliveries, readDelivery, readRecipient } from './read.ts';

/** What a message may do in its frame: show itself. */
const messagePolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const refuse = (response: Response): void =>
  showPage(response.status(404), 'Not found', '<p>There is no such message, or it is not yours to see.</p>');

const askForToken = (_request: Request, response: Response): void =>
  showPage(
    response.status(403),
    'The outbox needs its link',
    `<p>Messages hold personal data. While nobody signs in here, the outbox opens with the link that <code>npm start</code> prints behind <q>outbox</q>
(elsewhere: with <code>?token=</code> and the variable OUTBOX_TOKEN of the monitor).</p>
<p>Or make a dashboard user, and sign in: <code>roster dashboard invite you@example.com</code></p>`,
  );

const viewerIn = (response: Response): Viewer => response.locals.viewer as Viewer;

/** What a provider said is for operators. */
const seenBy =
  ({ isOperator }: Viewer) =>
  ({ words, ...recipient }: Recipient): Recipient => ({
    ...recipient,
    ...(isOperator && present({ words })),
  });

const deliverySeenBy = (viewer: Viewer, delivery: Delivery): Delivery => ({
  ...delivery,
  rows: delivery.rows.map(seenBy(viewer)),
});

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

export interface OutboxOptions {
  openStore(): Promise<Store>;
  previews: Previews;
  /** Opens it while the board asks for no sign-in. */
  token: string;
}

export const createOutbox = ({ openStore, previews, token }: OutboxOptions): Router => {
  const routes = Router();
  const openDoor = createOpenDoor(token, askForToken);

  routes.use((request, response, next) => {
    if (viewerIn(response).isOperator) openDoor(request, response, next);
    else next();
  });

  routes.get('/', async (request, response) => {
    const store = await openStore();
    const workspaces = await workspacesOf(store, viewerIn(response));
    const asked = textIn(request, 'workspace') ?? workspaces[0];
    const ws = workspaces.find((one) => one === asked);
    if (ws === undefined) return refuse(response);
    const page = pageIn(request);
    const found = await readDeliveries(store, ws, page);
    const deliveries = found.map((one) => deliverySeenBy(viewerIn(response), one));
    showPage(response, 'Outbox', listPage({ workspaces, ws, page, deliveries }));
  });

  routes.get('/delivery', async (request, response) => {
    const id = textIn(request, 'id') ?? '';
    const found = await readDelivery(await openStore(), id, textIn(request, 'after'));
    if (!found || !viewerIn(response).sees(found.ws)) return refuse(response);
    showPage(response, 'Recipients', deliveryPage(deliverySeenBy(viewerIn(response), found)));
  });

  const recipientIn = async (request: Request, response: Response) => {
    const found = await readRecipient(await openStore(), textIn(request, 'id') ?? '');
    return found && viewerIn(response).sees(found.ws) ? seenBy(viewerIn(response))(found) : undefined;
  };

  routes.get('/message', async (request, response) => {
    const found = await recipientIn(request, response);
    if (!found) return refuse(response);
    showPage(response, 'Message', messagePage(found, await leavingOf(previews, found)));
  });

  routes.get('/html', async (request, response) => {
    const found = await recipientIn(request, response);
    const leaving = found && (await leavingOf(previews, found));
    if (leaving?.is !== 'email') return refuse(response);
    response.set({
      'Content-Security-Policy': messagePolicy,
      'X-Frame-Options': 'SAMEORIGIN',
      'X-DNS-Prefetch-Control': 'off',
    });
    response.type('html').send(leaving.html);
  });

  return routes;
};
