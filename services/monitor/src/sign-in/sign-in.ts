/** The door of the board: dashboard users sign in, once there are some or when the settings say so. */
import { present } from '@roster/contract';
import { networkOf } from '@roster/runtime';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { setCookie, tokenIn } from './cookie.ts';
import { invitePage, overPage, readForm, type SignInFields, signInPage, signOutPage } from './form.ts';
import { away, createGate, type GateOptions } from './gate.ts';
import { acceptInvite, invitedBy, passwordProblem } from './invite.ts';
import { nextPage } from './next-page.ts';
import { sessionHours, signedIn, signIn, signOut } from './sessions.ts';
import { createThrottle } from './throttle.ts';

export interface SignInOptions extends GateOptions {
  /** How long a form may take to come in. */
  formMs?: number;
  /** Of passwords: for tests, which would spend most of their time on it. */
  passwordCost?: number;
}

/** Refuses forms from pages of other sites. A browser says so itself where it trusts the connection; elsewhere it names the page's origin. */
const isOurForm = ({ headers }: Request): boolean => {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
};

const show = (response: Response, page: string, status = 200): void => {
  response.status(status).type('html').send(page);
};

const showPage = (response: Response, status = 200, fields: SignInFields = {}): void =>
  show(response, signInPage(fields), status);

/** What is not read cannot be followed by another request on the same connection. */
const breakOff = (response: Response, status: number, problem: string): void => {
  showPage(response.set('Connection', 'close'), status, { problem });
};

const notOurs = 'This form did not come from here.';

const fromOf = (request: Request): string => networkOf(request.ip) ?? 'unknown';

/** With a session of their own from now on; the one that the browser had before ends. */
const letIn = async (
  request: Request,
  response: Response,
  { openStore, note = () => {} }: SignInOptions,
  { token, user, next }: { token: string; user: string; next: string },
): Promise<void> => {
  note({ event: 'sign_in.succeeded', by: `user:${user}`, from: fromOf(request) });
  const before = tokenIn(request);
  if (before !== undefined) await signOut(await openStore(), before).catch(() => undefined);
  setCookie(request, response, token, sessionHours * 3600);
  response.redirect(303, next);
};

/** Who is signed in in this browser; undefined also while MongoDB is away. */
const createNameOf =
  ({ openStore, now = Date.now }: SignInOptions) =>
  async (request: Request): Promise<string | undefined> => {
    const token = tokenIn(request);
    if (token === undefined) return undefined;
    const find = async () => signedIn(await openStore(), token, new Date(now()));
    return (await find().catch(() => undefined))?.userName;
  };

/** Tries the name and password of a form. */
const createAttempt =
  (options: SignInOptions, throttle: ReturnType<typeof createThrottle>) =>
  async (request: Request, response: Response, form: URLSearchParams): Promise<void> => {
    const { openStore, now = Date.now, note = () => {}, passwordCost: cost } = options;
    const next = nextPage(form.get('next'));
    const [userName, password] = [form.get('userName') ?? '', form.get('password') ?? ''];
    const tried = { ip: request.ip ?? '', userName };
    const from = fromOf(request);
    if (!throttle.mayTry(tried)) {
      note({ event: 'sign_in.throttled', from });
      return showPage(response, 429, { problem: 'Too many tries. Wait five minutes.', userName, next });
    }
    const entered = await signIn(await openStore(), { userName, password, now: new Date(now()), cost });
    if (entered === undefined) {
      note({ event: 'sign_in.failed', from });
      const problem = 'This user name and password do not sign anybody in.';
      return showPage(response, 401, { problem, userName, next });
    }
    throttle.forget(tried);
    await letIn(request, response, options, { token: entered.token, user: entered.user._id, next });
  };

/** The page of an invitation, and its form. A token of 256 bits is not guessed, so no try is counted. */
const createInvitation = (options: SignInOptions) => {
  const { openStore, now = Date.now, passwordCost: cost } = options;
  const nameOf = createNameOf(options);
  const invited = async (request: Request) =>
    invitedBy(await openStore(), String(request.params.token), new Date(now()));
  const sayOver = (response: Response): void => show(response, overPage(), 410);

  const look: RequestHandler = async (request, response) => {
    const user = await invited(request).catch(() => 'away' as const);
    if (user === 'away') return showPage(response, 503, { problem: away });
    if (!user) return sayOver(response);
    show(response, invitePage(user.userName, present({ signedIn: await nameOf(request) })));
  };

  const accept = async (request: Request, response: Response, form: URLSearchParams): Promise<void> => {
    const user = await invited(request);
    if (!user) return sayOver(response);
    const password = form.get('password') ?? '';
    const problem = passwordProblem(password);
    if (problem) return show(response, invitePage(user.userName, { problem }), 400);
    const choice = { user, password, now: new Date(now()), cost };
    const token = await acceptInvite(await openStore(), String(request.params.token), choice);
    if (token === undefined) return sayOver(response);
    await letIn(request, response, options, { token, user: user._id, next: '/' });
  };
  return { look, accept };
};

export const createSignIn = (options: SignInOptions) => {
  const { openStore, now = Date.now, formMs = 5_000, note = () => {} } = options;
  const throttle = createThrottle(now);
  const invitation = createInvitation(options);
  type Submitted = (request: Request, response: Response, form: URLSearchParams) => Promise<void>;

  const submit =
    (work: Submitted): RequestHandler =>
    async (request, response) => {
      if (!isOurForm(request)) return breakOff(response, 403, notOurs);
      const form = await readForm(request, formMs);
      if (!('fields' in form)) return breakOff(response, form.status, form.problem);
      if (!throttle.begin()) {
        const problem = 'Many sign in at once. Try again in a moment.';
        return showPage(response, 429, { problem, next: nextPage(form.fields.get('next')) });
      }
      try {
        await work(request, response, form.fields);
      } catch {
        showPage(response, 503, { problem: away, next: nextPage(form.fields.get('next')) });
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

  const nameOf = createNameOf(options);
  const askIn: RequestHandler = async (request, response) => {
    const next = nextPage(request.query.next);
    if ((await nameOf(request)) !== undefined) response.redirect(302, next);
    else showPage(response, 200, { next });
  };

  const routes = Router();
  routes.get('/sign-in', askIn);
  routes.post('/sign-in', submit(createAttempt(options, throttle)));
  routes.get('/invite/:token', invitation.look);
  routes.post('/invite/:token', submit(invitation.accept));
  routes.get('/sign-out', async (request, response) => show(response, signOutPage(await nameOf(request))));
  routes.post('/sign-out', leave);
  return { routes, gate: createGate(options) };
};

export type SignIn = ReturnType<typeof createSignIn>;
