/** Where people reach the pages, as the process of the interface and that of sending know it. */
import type { Config } from '@roster/runtime';
import type { Links } from './link.ts';
import { createPageUrls, type PageUrls } from './page-urls.ts';

type PagesSettings = Pick<Config<'sender'>, 'PAGES_URL' | 'PAGES_PORT' | 'HOST' | 'PAGES_LINK_DAYS'>;

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Without PAGES_URL: the process of the pages on this machine. */
export const baseUrl = ({
  PAGES_URL,
  PAGES_PORT,
  HOST,
}: Pick<PagesSettings, 'PAGES_URL' | 'PAGES_PORT' | 'HOST'>): string => {
  if (PAGES_URL !== '') return PAGES_URL;
  const host = isEverywhere(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PAGES_PORT}`;
};

export const pageUrlsOf = (config: PagesSettings, links: Links): PageUrls =>
  createPageUrls({ links, base: baseUrl(config), days: config.PAGES_LINK_DAYS });
