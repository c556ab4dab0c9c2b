/** What every answer of the pages carries: no cookie, no referrer, no index, no frame, and no script unless its preference center has its own. */
import type { OutgoingHttpHeaders } from 'node:http';
import { styleHash } from './default/style.ts';

export interface PageReply {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

const always = {
  'content-type': 'text/html; charset=utf-8',
  // A page that comes back by the back button is made anew, with a form of its own.
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

const closed = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Pages that Roster writes itself. */
const own = `${closed}; style-src ${styleHash}`;

/** Pages of others: their pictures, styles and fonts by https; scripts only inside of the page, and only where they are allowed. */
const customPolicy = (hasScripts: boolean): string =>
  `${closed}; img-src https: data:; style-src 'unsafe-inline' https:; font-src https: data:; media-src https:${
    hasScripts ? "; script-src 'unsafe-inline'" : ''
  }`;

export const ownPage = (status: number, body: string, headers: OutgoingHttpHeaders = {}): PageReply => ({
  status,
  headers: { ...always, 'content-security-policy': own, ...headers },
  body,
});

export const customPage = (body: string, { hasScripts }: { hasScripts: boolean }): PageReply => ({
  status: 200,
  headers: { ...always, 'content-security-policy': customPolicy(hasScripts) },
  body,
});

/** To another page of this server: after a form was sent, so that a reload sends nothing. The place is relative: a proxy may stand before it. */
export const redirect = (location: string): PageReply => ownPage(303, '', { location });

export const plainText = (status: number, body: string, more: OutgoingHttpHeaders = {}): PageReply => {
  const kind = { 'content-type': 'text/plain; charset=utf-8', 'content-security-policy': closed };
  return { status, headers: { ...always, ...kind, ...more }, body };
};
