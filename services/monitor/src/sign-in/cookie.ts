/** Cookies that keep a token: of a session, or of the outbox while nobody signs in. */
import type { Request, Response } from 'express';

interface Cookie {
  name: string;
  /** Where a browser sends it. */
  path: string;
}

const ofSession: Cookie = { name: 'roster_session', path: '/' };

export const tokenIn = ({ headers }: Request, { name } = ofSession): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];

/** `Lax`: a link in a chat leads somebody who is signed in to its page. Forms of other sites are refused by themselves. */
export const setCookie = (
  request: Request,
  response: Response,
  token: string,
  seconds: number,
  { name, path } = ofSession,
): void => {
  const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  response.set(
    'Set-Cookie',
    `${name}=${token}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
};
