/** The URLs that people get: of their page, and for the List-Unsubscribe headers of emails (RFC 2369, RFC 8058). */

import { defaultCenterId } from '@roster/contract';
import type { Config } from '@roster/runtime';
import type { Link, Links } from './link.ts';

type Recipient = Pick<Link, 'ws' | 'center' | 'person'>;

export interface PageUrlOptions {
  links: Links;
  /** Where the pages are reached from outside, without a slash at its end. */
  base: string;
  /** How long a URL holds. */
  days: number;
  now?: () => number;
}

const secondsOfDay = 24 * 3600;

const pagePath = '/preferences/';
const unsubscribePath = '/unsubscribe/';

export const createPageUrls = ({ links, base, days, now = Date.now }: PageUrlOptions) => {
  const signed = (link: Omit<Link, 'expires'>): string =>
    links.sign({ ...link, expires: Math.floor(now() / 1000) + days * secondsOfDay });

  return {
    /** Opens the preference center of one person. */
    page: (recipient: Recipient): string => `${base}${pagePath}${signed({ kind: 'page', ...recipient })}`,

    /** For a mail program that unsubscribes by itself: from a group of emails, or from all emails. */
    unsubscribe(recipient: Recipient, group?: string) {
      const link = signed({ kind: 'unsubscribe', ...recipient, ...(group !== undefined && { group }) });
      return {
        'List-Unsubscribe': `<${base}${unsubscribePath}${link}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      };
    },
  };
};

export type PageUrls = ReturnType<typeof createPageUrls>;

type PagesSettings = Pick<Config<'sender'>, 'PAGES_URL' | 'PAGES_PORT' | 'HOST' | 'PAGES_LINK_DAYS'>;

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Without PAGES_URL: the process of the pages on this machine. */
export const baseUrl = ({ PAGES_URL, PAGES_PORT, HOST }: PagesSettings): string => {
  if (PAGES_URL !== '') return PAGES_URL;
  const host = isEverywhere(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PAGES_PORT}`;
};

export const pageUrlsOf = (config: PagesSettings, links: Links): PageUrls =>
  createPageUrls({ links, base: baseUrl(config), days: config.PAGES_LINK_DAYS });

/** What a message may hold of a person: links to preference centers (`centers`: their ids by name), and to where all emails can be unsubscribed from. */
export const createMessageLinks = (
  urls: Pick<PageUrls, 'page'>,
  ws: string,
  centers: ReadonlyMap<string, string>,
) => {
  const linkTo = (center: string, person: string): string => urls.page({ ws, center, person });
  return {
    /** By the name of the preference center. */
    centers: (person: string): Record<string, string> =>
      Object.fromEntries([...centers].map(([name, center]) => [name, linkTo(center, person)])),
    unsubscribe: (person: string): string => linkTo(defaultCenterId, person),
  };
};

export type MessageLinks = ReturnType<typeof createMessageLinks>;
