/** The HTML of the outbox. Everything in it that a caller of the interface has written is escaped. */
import type { Leaving } from '@roster/channels';
import { parseExact, stringifyExact } from '@roster/contract';
import { escapeHtml } from '@roster/runtime';
import { shownCounts } from '@roster/store';
import { type Delivery, most, type Recipient } from './read.ts';

const longest = 200;

const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest)} ...` : text);

const link = (path: string, query: Record<string, string>, text: string): string =>
  `<a href="${escapeHtml(`${path}?${new URLSearchParams(query)}`)}">${escapeHtml(text)}</a>`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : stringifyExact(value, 2));

const nameOf = ({ person }: Pick<Recipient, 'person'>): string => person || 'whose name was erased';

const addressOf = ({ kept, ...recipient }: Pick<Recipient, 'kept' | 'person'>): string =>
  shortened(kept?.to === undefined ? `person ${nameOf(recipient)}` : [kept.to].flat().map(String).join(', '));

/** The line by which a person knows a message: the subject of an email, else its first text. */
const titleOf = ({ kept = {}, channel }: Recipient): string => {
  const { subject, title, alert, body } = kept;
  const first = [subject, title, alert, body].find((one) => typeof one === 'string' && one !== '');
  return shortened(typeof first === 'string' ? first : channel);
};

const stateOf = ({ state, reason, words }: Recipient): string =>
  [state, reason, words].flatMap((text) => (text === undefined ? [] : [shortened(text)])).join(': ');

const time = (at: Date): string =>
  `<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;

const row = (recipient: Recipient): string => {
  const title = titleOf(recipient);
  const named = recipient.kept
    ? link('/outbox/message', { id: recipient._id }, title)
    : escapeHtml(addressOf(recipient));
  return `<li class="row"><p>${named}</p>
<p class="quiet">${recipient.kept ? `to ${escapeHtml(addressOf(recipient))}, ` : ''}${time(recipient.at)}, ${escapeHtml(stateOf(recipient))}</p></li>`;
};

const countsOf = ({ ended, ...delivery }: Delivery): string =>
  Object.entries(shownCounts(delivery))
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count.toLocaleString('en-US')} ${state}`)
    .join('; ') || (ended ? 'no recipients' : 'nobody yet');

const card = (delivery: Delivery, more: string): string => `<div class="card">
<h2>${escapeHtml(delivery.channel)}</h2>
<p class="quiet">${time(delivery.began)}: ${countsOf(delivery)}</p>
<ol>${delivery.rows.map(row).join('\n')}</ol>
${more && `<p>${more}</p>`}
</div>`;

const empty = `<div class="card"><p>Nothing was sent in this workspace. Messages of channels without credentials are stored here: send one with <code>POST /messages/send</code>.</p></div>`;

const home = '<a href="/">Start page</a>';

interface List {
  workspaces: readonly string[];
  ws: string;
  page: number;
  deliveries: readonly Delivery[];
}

export const listPage = ({ workspaces, ws, page, deliveries }: List): string => {
  const others = workspaces.filter((one) => one !== ws);
  const shown = deliveries.slice(0, most.deliveries).map((delivery) => {
    const more = delivery.next && link('/outbox/delivery', { id: delivery._id }, 'All recipients');
    return card(delivery, more ?? '');
  });
  const turns = [
    page > 0 ? link('/outbox', { workspace: ws, page: String(page - 1) }, 'Newer') : '',
    deliveries.length > most.deliveries && page + 1 < most.pages
      ? link('/outbox', { workspace: ws, page: String(page + 1) }, 'Older')
      : '',
  ].filter(Boolean);
  return `<p class="quiet">Messages of workspace ${escapeHtml(ws)}, the newest first. Messages of channels without credentials are stored instead of being sent.</p>
${others.length > 0 ? `<nav aria-label="Workspaces">${others.map((one) => link('/outbox', { workspace: one }, one)).join(' ')}</nav>` : ''}
${shown.join('\n') || empty}
${turns.length > 0 ? `<nav aria-label="Pages">${turns.join(' ')}</nav>` : ''}
<nav aria-label="Roster">${home}</nav>`;
};

const back = (ws: string): string =>
  `<nav aria-label="Outbox">${link('/outbox', { workspace: ws }, 'All messages')}${home}</nav>`;

export const deliveryPage = (delivery: Delivery): string => {
  const { _id: id, next } = delivery;
  const more = next === undefined ? '' : link('/outbox/delivery', { id, after: next }, 'More recipients');
  return `${card(delivery, more)}\n${back(delivery.ws)}`;
};

const text = (name: string, value: unknown): string =>
  `<h2>${escapeHtml(name)}</h2>\n<pre>${escapeHtml(textOf(value))}</pre>`;

/** In a frame that runs no script and loads nothing. */
const framed = (id: string): string => `<h2>HTML</h2>
<p class="quiet">Without scripts, and without pictures from other servers.</p>
<iframe sandbox src="/outbox/html?${escapeHtml(String(new URLSearchParams({ id })))}" title="HTML of the message"></iframe>`;

const isLong = (value: unknown): boolean =>
  typeof value === 'object' || (typeof value === 'string' && /\n|.{200}/.test(value));

type Members = Readonly<Record<string, unknown>>;

/** What is shown in another form already. */
const shownElsewhere: ReadonlySet<string> = new Set([
  ...['body', 'plaintext_body', 'headers', 'added_headers', 'message', 'media_items'],
  ...['url', 'request_method', 'request_headers'],
]);

const leftIn = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !shownElsewhere.has(name)));

const membersOf = (members: Members): string =>
  Object.entries(members)
    .filter(([, value]) => isLong(value))
    .map(([name, value]) => text(name, value))
    .join('\n');

const listed = (members: readonly (readonly [string, unknown])[]): string =>
  members
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(textOf(value))}</dd>`)
    .join('\n');

type Requested = Extract<Leaving, { is: 'request' }>;

/** A webhook may be signed: its body stands as it leaves. */
const bodyOf = ({ provider, request: { headers, body } }: Requested): unknown =>
  provider && headers['content-type'] === 'application/json' ? parseExact(body) : body;

const requested = (leaving: Requested, { body }: Members): string => {
  const { provider, about, request } = leaving;
  const whose = provider
    ? `As ${provider} would get it. Another provider gets the request that its credential describes.`
    : 'With a secret for webhooks it is signed in addition.';
  const lines = listed(Object.entries(about));
  return `${lines && `<dl>${lines}</dl>`}
${provider && body !== undefined ? text('text', body) : ''}
<p class="quiet">${escapeHtml(whose)} Credentials are shown as ***.</p>
${text('request', `${request.method} ${request.url}`)}
${text('headers', request.headers)}
${text('body', bodyOf(leaving))}`;
};

const asItLeaves = (id: string, members: Members, leaving: Leaving | undefined): string => {
  if (leaving?.is === 'email')
    return [
      framed(id),
      text('plain text', leaving.text),
      text('headers', leaving.headers),
      text('source of the HTML', leaving.html),
    ].join('\n');
  if (leaving?.is === 'push')
    return `<p class="quiet">To each of these devices, under an id of its own.</p>
${leaving.headers ? text('headers', leaving.headers) : ''}
${text('payload', leaving.payload)}`;
  if (leaving?.is === 'request') return requested(leaving, members);
  const refused = leaving ? `<p>It would be refused: ${escapeHtml(leaving.reason)}</p>` : '';
  return `${refused}${membersOf(members)}`;
};

const isWhole = (leaving: Leaving | undefined): boolean =>
  leaving?.is === 'email' || leaving?.is === 'request';

export const messagePage = (recipient: Recipient, leaving: Leaving | undefined): string => {
  const { _id: id, kept = {}, ws } = recipient;
  const members = isWhole(leaving) ? leftIn(kept) : kept;
  const lines = Object.entries(members).filter(([, value]) => !isLong(value));
  return `<div class="card"><dl>
<dt>time</dt><dd>${time(recipient.at)}</dd>
${listed([['person', nameOf(recipient)], ['state', stateOf(recipient)], ...lines])}
</dl></div>
<div class="card">
${asItLeaves(id, kept, leaving)}
</div>
${back(ws)}`;
};
