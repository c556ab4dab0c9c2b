/** Where people reach the pages. */
import type { Config } from '@roster/runtime';

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Without PAGES_URL: this process itself. */
export const baseUrl = (
  { PAGES_URL, HOST }: Pick<Config<'messaging'>, 'PAGES_URL' | 'HOST'>,
  port: number,
): string => {
  if (PAGES_URL !== '') return PAGES_URL;
  const host = isEverywhere(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
