/** `GET /` for browsers: where to go first. It says nothing about the deployment and costs no look-up; its script needs a key for that. */
import { escapeHtml, operatorPage, operatorPolicy } from '@roster/runtime';
import type { RequestHandler } from 'express';
import { steps, stepsScript } from './start-steps.ts';

/** A name or address with a port. Anything else is not repeated on the page. */
const plainHost = /^[a-z0-9.-]{1,253}(:\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/i;

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `${operatorPolicy}; script-src 'self'; connect-src 'self'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // The commands name the host, and other callers than browsers get another answer.
  Vary: 'Accept, Host',
  'Cache-Control': 'public, max-age=60',
};

const keyHint = 'rk_...';

const curl = (base: string, path: string, body: object): string =>
  `curl ${base}${path} \\
  -H "Authorization: Bearer $ROSTER_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`;

const code = (text: string): string => `<pre><code>${escapeHtml(text)}</code></pre>`;

const link = (href: string, text: string): string => `<a href="${escapeHtml(href)}">${text}</a>`;

const places = (boardUrl: string): string => `<div class="card"><dl>
<dt>Reference</dt><dd>${link('/docs', 'docs')}: every operation, to try out with your key</dd>
<dt>OpenAPI</dt><dd>${link('/openapi.json', 'openapi.json')}: for generators and other tools</dd>
${boardUrl && `<dt>Board</dt><dd>${link(boardUrl, 'board')}: queues, stored emails, counts, and how people sign in there</dd>`}
<dt>Health</dt><dd>${link('/health/ready', 'ready')}: whether requests are accepted now</dd>
</dl></div>`;

const first = (base: string, now: Date): string => `<div class="card">
<h2>Send your first event</h2>
<p>Put your key into a variable. <code>npm start</code> shows the demo key; <code>roster keys create</code> makes others.</p>
${code(`export ROSTER_KEY=${keyHint}`)}
${code(curl(base, '/users/track', { events: [{ external_id: 'ada', name: 'signed_up', time: now.toISOString() }] }))}
<h2>Read the person</h2>
${code(curl(base, '/users/export/ids', { external_ids: ['ada'], fields_to_export: ['external_id', 'custom_events'] }))}
</div>`;

const startPage = (base: string, boardUrl: string, now: Date): string =>
  operatorPage(
    'Roster',
    `<p class="quiet">User data, identity and messaging: one correct profile per person.</p>
${steps(boardUrl)}
${places(boardUrl)}
${first(base, now)}
<script src="/start.js"></script>`,
  );

/** Others than browsers go on, and are told that there is nothing here. */
export const createStartPage =
  (boardUrl: string): RequestHandler =>
  (request, response, next) => {
    const { accept = '', host = '' } = request.headers;
    if (!accept.includes('text/html')) return next();
    const base = plainHost.test(host) ? `${request.protocol}://${host}` : 'http://localhost:8080';
    response.set(headers).end(startPage(base, boardUrl, new Date()));
  };

export const startScript: RequestHandler = (_request, response) => {
  response
    .set({ 'Content-Type': 'text/javascript; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
    .end(stepsScript);
};
