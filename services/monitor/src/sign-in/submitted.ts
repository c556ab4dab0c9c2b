/** How a form of the sign-in comes in: from our own page, whole and in time, and few at once. */
import { networkOf } from '@roster/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { longestForm, readForm, type SignInFields, signInPage } from './form.ts';
import { away, isAway } from './gate.ts';
import { nextPage } from './next-page.ts';
import type { createThrottle } from './throttle.ts';

/** Refuses forms from pages of other sites. A browser says so itself where it trusts the connection; elsewhere it names the page's origin. */
export const isOurForm = ({ headers }: Request): boolean => {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
};

export const browserOf = ({ headers }: Request): string => headers['user-agent'] ?? '';

export const fromOf = (request: Request): string => networkOf(request.ip) ?? 'unknown';

export const show = (response: Response, page: string, status = 200): void => {
  response.status(status).type('html').send(page);
};

export const showSignIn = (response: Response, status = 200, fields: SignInFields = {}): void =>
  show(response, signInPage(fields), status);

/** What is not read cannot be followed by another request on the same connection. */
export const breakOff = (response: Response, status: number, problem: string): void => {
  showSignIn(response.set('Connection', 'close'), status, { problem });
};

export const notOurs = 'This form did not come from here.';

const broken = 'This did not work, for a reason that is in the log of the monitor. Try again.';

export type Submitted = (request: Request, response: Response, form: URLSearchParams) => Promise<void>;

export const createSubmit =
  (throttle: ReturnType<typeof createThrottle>, formMs: number, onError: (error: unknown) => void) =>
  (work: Submitted, longest = longestForm.usual): RequestHandler =>
  async (request, response) => {
    if (!isOurForm(request)) return breakOff(response, 403, notOurs);
    const form = await readForm(request, formMs, longest);
    if (!('fields' in form)) return breakOff(response, form.status, form.problem);
    const next = nextPage(form.fields.get('next'));
    if (!throttle.begin())
      return showSignIn(response, 429, { problem: 'Many sign in at once. Try again in a moment.', next });
    try {
      await work(request, response, form.fields);
    } catch (error) {
      onError(error);
      if (isAway(error)) showSignIn(response, 503, { problem: away, next });
      else showSignIn(response, 500, { problem: broken, next });
    } finally {
      throttle.end();
    }
  };

export type Submit = ReturnType<typeof createSubmit>;
