/** What is answered instead of what was asked for: people get a page, programs get JSON. */
import { escapeHtml, operatorPage, operatorPolicy } from '@roster/runtime';
import type { Request, Response } from 'express';

const titles = {
  400: 'This address cannot be read',
  403: 'Not for this user',
  404: 'There is nothing at this address',
  405: 'For looking only',
  421: 'Not under this name',
  503: 'Not just now',
} as const;

/** Bull Board's own page asks the paths under `/api/`. */
export const isForProgram = ({ path }: Request): boolean => path.includes('/api/');

const wantsPage = (request: Request): boolean =>
  request.accepts(['json', 'html']) === 'html' && !isForProgram(request);

const links = '<nav aria-label="Roster"><a href="/">Start page</a></nav>';

/** Nothing while the board asks for no sign-in. */
const signedInAs = (userName: unknown): string =>
  typeof userName === 'string'
    ? `\n<p class="quiet">Signed in as ${escapeHtml(userName)}. <a href="/sign-out">Sign out</a> <a href="/account">Your account</a></p>`
    : '';

/** Each page tells who is signed in: the gate has left the name. */
export const showPage = (response: Response, title: string, main: string): void => {
  const page = operatorPage(title, `${main}${signedInAs(response.locals.userName)}`);
  response.set('Content-Security-Policy', operatorPolicy).type('html').send(page);
};

export const tell = (
  request: Request,
  response: Response,
  status: keyof typeof titles | 401,
  message: string,
): void => {
  response.status(status);
  if (status === 503) response.set('Retry-After', '5');
  if (status === 401 || !wantsPage(request)) return void response.json({ message });
  showPage(response, titles[status], `<p>${escapeHtml(message)}</p>\n${links}`);
};
