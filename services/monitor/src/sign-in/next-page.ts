/** The page that somebody wanted before the sign-in. It comes from the address, so anybody may have written it: only pages of the board count. */
import type { Request } from 'express';

const longest = 2000;
const here = 'http://here.invalid';
const pages = /^\/(account|board|outbox)(\/|$)/;

/** Its path as a browser would read it, or the start page. */
export const nextPage = (asked: unknown): string => {
  if (typeof asked !== 'string' || !asked.startsWith('/') || asked.length > longest) return '/';
  const url = URL.canParse(asked, here) ? new URL(asked, here) : undefined;
  return url?.origin === here && pages.test(url.pathname) ? `${url.pathname}${url.search}` : '/';
};

/** The address of the sign-in that leads back to what was asked for. */
export const signInFor = ({ originalUrl }: Pick<Request, 'originalUrl'>): string => {
  const next = nextPage(originalUrl);
  return next === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next })}`;
};
