/** The door of the board: dashboard users sign in, once there are some or when the settings say so. */
import type { Store } from '@roster/store';
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { readForm } from './form.ts';
import { createNeed, type SignInMode } from './need.ts';
import { signInPage, signOutPage } from './page.ts';
import { isSignedIn, sessionHours, signIn, signOut } from './sessions.ts';
import { createThrottle } from './throttle.ts';

export interface SignInOptions {
  mode: SignInMode;
  openStore(): Promise<Store>;
  now?: () => number;
  /** How long a form may take to come in. */
  formMs?: number;
}

const cookieName = 'roster_session';

const tokenIn = ({ headers }: Request): string | undefined =>
  new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];

const setCookie = (request: Request, response: Response, token: string, seconds: number): void => {
  const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  response.set(
    'Set-Cookie',
    `${cookieName}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
};

/** A form on somebody else's page is not ours. */
const isOurForm = ({ headers }: Request): boolean => {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
};

const showPage = (response: Response, status = 200, problem?: string): void => {
  response.status(status).type('html').send(signInPage(problem));
};

/** What is not read cannot be followed by another request on the same connection. */
const breakOff = (response: Response, status: number, problem: string): void => {
  showPage(response.set('Connection', 'close'), status, problem);
};

const notOurs = 'This form did not come from here.';
const away =
  'MongoDB is away, and without it nobody can sign in. MONITOR_SIGN_IN=never opens the board to whoever reaches this port.';

export const createSignIn = ({ mode, openStore, now = Date.now, formMs = 5_000 }: SignInOptions) => {
  const isNeeded = createNeed({ mode, openStore, now });
  const throttle = createThrottle(now);

  const mayEnter = async (request: Request): Promise<boolean> => {
    if (!(await isNeeded())) return true;
    const token = tokenIn(request);
    return token !== undefined && (await isSignedIn(await openStore(), token, new Date(now())));
  };

  /** Everything behind this is for those who may enter. */
  const gate: RequestHandler = async (request: Request, response: Response, next: NextFunction) => {
    const isAllowed = await mayEnter(request).catch(() => undefined);
    if (isAllowed) return next();
    const wantsPage = request.accepts(['html', 'json']) === 'html' && !request.path.includes('/api/');
    if (isAllowed === undefined) response.status(503).set('Retry-After', '5').json({ message: away });
    else if (wantsPage) response.redirect(302, '/sign-in');
    else response.status(401).json({ message: 'Sign in first' });
  };

  const attempt = async (request: Request, response: Response, form: URLSearchParams): Promise<void> => {
    const [userName, password] = [form.get('userName') ?? '', form.get('password') ?? ''];
    const names = [`ip ${request.ip}`, `user ${userName.trim().toLowerCase()}`];
    if (!throttle.mayTry(names)) return showPage(response, 429, 'Too many tries. Wait five minutes.');
    const token = await signIn(await openStore(), { userName, password, now: new Date(now()) });
    if (token === undefined)
      return showPage(response, 401, 'This user name and password do not sign anybody in.');
    throttle.forget(names);
    setCookie(request, response, token, sessionHours * 3600);
    response.redirect(303, '/');
  };

  const submit: RequestHandler = async (request, response) => {
    if (!isOurForm(request)) return breakOff(response, 403, notOurs);
    const form = await readForm(request, formMs);
    if (!('fields' in form)) return breakOff(response, form.status, form.problem);
    if (!throttle.begin()) return showPage(response, 429, 'Many sign in at once. Try again in a moment.');
    try {
      await attempt(request, response, form.fields);
    } catch {
      showPage(response, 503, away);
    } finally {
      throttle.end();
    }
  };

  const leave: RequestHandler = async (request, response) => {
    if (!isOurForm(request)) return breakOff(response, 403, notOurs);
    const token = tokenIn(request);
    const end = async (held: string) => signOut(await openStore(), held);
    if (token !== undefined) await end(token).catch(() => {});
    setCookie(request, response, '', 0);
    response.redirect(303, '/sign-in');
  };

  const routes = Router();
  routes.get('/sign-in', (_request, response) => showPage(response));
  routes.post('/sign-in', submit);
  routes.get('/sign-out', (_request, response) => void response.type('html').send(signOutPage()));
  routes.post('/sign-out', leave);
  return { routes, gate };
};

export type SignIn = ReturnType<typeof createSignIn>;
