/** The cookie that keeps the token of a session. */
import type { Request, Response } from 'express';

const cookieName = 'roster_session';

export const tokenIn = ({ headers }: Request): string | undefined =>
  new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];

export const setCookie = (request: Request, response: Response, token: string, seconds: number): void => {
  const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  response.set(
    'Set-Cookie',
    `${cookieName}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
};
