/** The door of the board: dashboard users sign in, once there are some or when the settings say so. */
import type { CompanySettings } from '@roster/access';
import { networkOf, type SecurityEvent } from '@roster/runtime';
import type { Store } from '@roster/store';
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { operator, type Viewer, viewerOf } from '../viewer.ts';
import { readForm } from './form.ts';
import { createIsOurHost } from './host.ts';
import { createNeed, type SignInMode } from './need.ts';
import { signInPage, signOutPage } from './page.ts';
import { sessionHours, signedIn, signIn, signOut } from './sessions.ts';
import { createThrottle } from './throttle.ts';

export interface SignInOptions {
  mode: SignInMode;
  openStore(): Promise<Store>;
  now?: () => number;
  /** How long a form may take to come in. */
  formMs?: number;
  /** Host names under which the board is served while it needs no sign-in. */
  hosts?: string;
  /** Receives security events. */
  note?(event: SecurityEvent): void;
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

/** Refuses forms from pages of other sites. */
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
  'MongoDB is away, and without it sign-in is impossible. MONITOR_SIGN_IN=never opens the board to every caller that reaches this port.';

/** Why a caller may not enter. */
type Closed = 'away' | 'signed out' | 'not allowed' | 'other host';

const answers = {
  away: [503, away],
  'signed out': [401, 'Sign in first'],
  'not allowed': [
    403,
    'To see the board you need the permission admin or dev_console in a workspace of your company',
  ],
  'other host': [421, 'The board is not asked for under this name. MONITOR_HOSTS names those that are.'],
} as const satisfies Record<Closed, readonly [number, string]>;

const turnAway = (request: Request, response: Response, why: Closed): void => {
  const wantsPage = request.accepts(['html', 'json']) === 'html' && !request.path.includes('/api/');
  const [status, message] = answers[why];
  if (why === 'away') response.set('Retry-After', '5');
  if (why === 'signed out' && wantsPage) response.redirect(302, '/sign-in');
  else response.status(status).json({ message });
};

/** Everything behind this is for those who may enter; `response.locals.viewer` says what they may see. */
const createGate = ({
  mode,
  openStore,
  now = Date.now,
  hosts = '',
  note = () => {},
}: SignInOptions): RequestHandler => {
  const isNeeded = createNeed({ mode, openStore, now });
  const isOurHost = createIsOurHost(hosts);

  const viewerBehind = async (token: string | undefined): Promise<Viewer | Closed> => {
    const store = await openStore();
    const user = token === undefined ? undefined : await signedIn(store, token, new Date(now()));
    if (!user) return 'signed out';
    const viewer = viewerOf(user, await store.companies.get<CompanySettings>(user.company));
    if (viewer) return viewer;
    note({ event: 'board.refused', by: `user:${user._id}` });
    return 'not allowed';
  };

  const enter = async (request: Request): Promise<Viewer | Closed> => {
    if (await isNeeded()) return viewerBehind(tokenIn(request));
    return isOurHost(request.headers.host) ? operator : 'other host';
  };

  return async (request: Request, response: Response, next: NextFunction) => {
    const entered = await enter(request).catch((): Closed => 'away');
    if (typeof entered === 'string') return turnAway(request, response, entered);
    response.locals.viewer = entered;
    next();
  };
};

export const createSignIn = (options: SignInOptions) => {
  const { openStore, now = Date.now, formMs = 5_000, note = () => {} } = options;
  const throttle = createThrottle(now);

  const attempt = async (request: Request, response: Response, form: URLSearchParams): Promise<void> => {
    const [userName, password] = [form.get('userName') ?? '', form.get('password') ?? ''];
    const tried = { ip: request.ip ?? '', userName };
    const from = networkOf(request.ip) ?? 'unknown';
    if (!throttle.mayTry(tried)) {
      note({ event: 'sign_in.throttled', from });
      return showPage(response, 429, 'Too many tries. Wait five minutes.');
    }
    const entered = await signIn(await openStore(), { userName, password, now: new Date(now()) });
    if (entered === undefined) {
      note({ event: 'sign_in.failed', from });
      return showPage(response, 401, 'This user name and password do not sign anybody in.');
    }
    throttle.forget(tried);
    note({ event: 'sign_in.succeeded', by: `user:${entered.user._id}`, from });
    setCookie(request, response, entered.token, sessionHours * 3600);
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
    const user = token === undefined ? undefined : await end(token).catch(() => undefined);
    if (user !== undefined) note({ event: 'sign_out', by: `user:${user}` });
    setCookie(request, response, '', 0);
    response.redirect(303, '/sign-in');
  };

  const routes = Router();
  routes.get('/sign-in', (_request, response) => showPage(response));
  routes.post('/sign-in', submit);
  routes.get('/sign-out', (_request, response) => void response.type('html').send(signOutPage()));
  routes.post('/sign-out', leave);
  return { routes, gate: createGate(options) };
};

export type SignIn = ReturnType<typeof createSignIn>;
