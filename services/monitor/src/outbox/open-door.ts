/** While the board asks for no sign-in, the outbox is for who has its token: `npm start` prints a link with it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { setCookie, tokenIn } from '../sign-in/cookie.ts';

const cookie = { name: 'roster_outbox', path: '/outbox' };
const seconds = 12 * 3600;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Without the token, which is in the cookie from now on: addresses are shown, kept and sent to others. */
const placeOf = ({ originalUrl }: Request): string => {
  const { pathname, searchParams } = new URL(originalUrl, 'http://board');
  searchParams.delete('token');
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
};

/** `token`: nothing opens a door without one. */
export const createOpenDoor = (token: string, refuse: RequestHandler): RequestHandler => {
  const isGood = (given: unknown): boolean =>
    typeof given === 'string' && token !== '' && timingSafeEqual(digest(given), digest(token));
  return (request, response, next) => {
    if (isGood(request.query.token)) {
      setCookie(request, response, token, seconds, cookie);
      response.redirect(303, placeOf(request));
    } else if (isGood(tokenIn(request, cookie))) next();
    else refuse(request, response, next);
  };
};
