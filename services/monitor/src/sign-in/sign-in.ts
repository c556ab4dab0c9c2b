/** The door of the board: dashboard users sign in, once there are some or when the settings say so. */
import { networkOf } from '@roster/runtime';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { setCookie, tokenIn } from './cookie.ts';
import { invitePage, overPage, readForm, signInPage, signOutPage } from './form.ts';
import { away, createGate, type GateOptions } from './gate.ts';
import { acceptInvite, invitedBy, passwordProblem } from './invite.ts';
import { sessionHours, signIn, signOut } from './sessions.ts';
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

const showPage = (response: Response, status = 200, problem?: string): void =>
  show(response, signInPage(problem), status);

/** What is not read cannot be followed by another request on the same connection. */
const breakOff = (response: Response, status: number, problem: string): void => {
  showPage(response.set('Connection', 'close'), status, problem);
};

const notOurs = 'This form did not come from here.';

const fromOf = (request: Request): string => networkOf(request.ip) ?? 'unknown';

/** With a session of their own from now on. */
const letIn = (
  request: Request,
  response: Response,
  note: NonNullable<SignInOptions['note']>,
  { token, user }: { token: string; user: string },
): void => {
  note({ event: 'sign_in.succeeded', by: `user:${user}`, from: fromOf(request) });
  setCookie(request, response, token, sessionHours * 3600);
  response.redirect(303, '/');
};

/** Tries the name and password of a form. */
const createAttempt =
  (
    { openStore, now = Date.now, note = () => {}, passwordCost: cost }: SignInOptions,
    throttle: ReturnType<typeof createThrottle>,
  ) =>
  async (request: Request, response: Response, form: URLSearchParams): Promise<void> => {
    const [userName, password] = [form.get('userName') ?? '', form.get('password') ?? ''];
    const tried = { ip: request.ip ?? '', userName };
    const from = fromOf(request);
    if (!throttle.mayTry(tried)) {
      note({ event: 'sign_in.throttled', from });
      return showPage(response, 429, 'Too many tries. Wait five minutes.');
    }
    const entered = await signIn(await openStore(), { userName, password, now: new Date(now()), cost });
    if (entered === undefined) {
      note({ event: 'sign_in.failed', from });
      return showPage(response, 401, 'This user name and password do not sign anybody in.');
    }
    throttle.forget(tried);
    letIn(request, response, note, { token: entered.token, user: entered.user._id });
  };

/** The page of an invitation, and its form. A token of 256 bits is not guessed, so no try is counted. */
const createInvitation = ({
  openStore,
  now = Date.now,
  note = () => {},
  passwordCost: cost,
}: SignInOptions) => {
  const invited = async (request: Request) =>
    invitedBy(await openStore(), String(request.params.token), new Date(now()));
  const sayOver = (response: Response): void => show(response, overPage(), 410);

  const look: RequestHandler = async (request, response) => {
    const user = await invited(request).catch(() => 'away' as const);
    if (user === 'away') showPage(response, 503, away);
    else if (user) show(response, invitePage(user.userName));
    else sayOver(response);
  };

  const accept = async (request: Request, response: Response, form: URLSearchParams): Promise<void> => {
    const user = await invited(request);
    if (!user) return sayOver(response);
    const password = form.get('password') ?? '';
    const problem = passwordProblem(password);
    if (problem) return show(response, invitePage(user.userName, problem), 400);
    const choice = { user, password, now: new Date(now()), cost };
    const token = await acceptInvite(await openStore(), String(request.params.token), choice);
    if (token === undefined) return sayOver(response);
    letIn(request, response, note, { token, user: user._id });
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
      if (!throttle.begin()) return showPage(response, 429, 'Many sign in at once. Try again in a moment.');
      try {
        await work(request, response, form.fields);
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
  routes.post('/sign-in', submit(createAttempt(options, throttle)));
  routes.get('/invite/:token', invitation.look);
  routes.post('/invite/:token', submit(invitation.accept));
  routes.get('/sign-out', (_request, response) => show(response, signOutPage()));
  routes.post('/sign-out', leave);
  return { routes, gate: createGate(options) };
};

export type SignIn = ReturnType<typeof createSignIn>;
