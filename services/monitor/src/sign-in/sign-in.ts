/** The door of the board: dashboard users sign in, once there are some or when the settings say so. */
import { present } from '@roster/contract';
import type { Passkey } from '@roster/store';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { createAccount } from '../account/account.ts';
import { browserScript, scriptPath } from './browser-script.ts';
import { setCookie, tokenIn } from './cookie.ts';
import { invitePage, longestForm, overPage, passkeyPage, signOutPage } from './form.ts';
import { away, createGate } from './gate.ts';
import { acceptInvite, invitedBy } from './invite.ts';
import { nextPage } from './next-page.ts';
import type { SignInOptions } from './options.ts';
import { askPasskey, passkeysAt, siteOf, takeAsked, usedPasskey } from './passkeys.ts';
import { passwordProblem } from './passwords.ts';
import { enter, sessionHours, signedIn, signOut, userWith } from './sessions.ts';
import {
  breakOff,
  browserOf,
  createSubmit,
  fromOf,
  isOurForm,
  notOurs,
  type Submitted,
  show,
  showSignIn,
} from './submitted.ts';
import { createThrottle } from './throttle.ts';

/** With a session of their own from now on; the one that the browser had before ends. */
const letIn = async (
  request: Request,
  response: Response,
  { openStore, note = () => {} }: SignInOptions,
  { token, user, next }: { token: string; user: string; next: string },
): Promise<void> => {
  note({ event: 'sign_in.succeeded', by: `user:${user}`, from: fromOf(request) });
  const before = tokenIn(request);
  // The session before ends by its time; MongoDB has just stored the new one.
  if (before !== undefined) await signOut(await openStore(), before).catch(() => undefined);
  setCookie(request, response, token, sessionHours * 3600);
  response.redirect(303, next);
};

const stillValid = `MongoDB is away: this browser has forgotten the session, but only its time ends it, ${sessionHours} hours after the sign-in.`;

/** Who is signed in in this browser; undefined also while MongoDB is away. */
const createNameOf =
  ({ openStore, now = Date.now }: SignInOptions) =>
  async (request: Request): Promise<string | undefined> => {
    const token = tokenIn(request);
    if (token === undefined) return undefined;
    const find = async () => signedIn(await openStore(), token, new Date(now()));
    // Only for the name on a page.
    return (await find().catch(() => undefined))?.userName;
  };

/** A passkey works at its own address only, and the browser does not say why. */
const elsewhere = (passkeys: readonly Passkey[]): string =>
  `The passkey of this user is for ${[...new Set(passkeys.map(({ host }) => host))].join(' and ')}: open the board there.`;

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
      return showSignIn(response, 429, { problem: 'Too many tries. Wait six minutes.', userName, next });
    }
    const store = await openStore();
    const user = await userWith(store, { userName, password, cost });
    const refuse = (problem: string): void => {
      note({ event: 'sign_in.failed', from });
      showSignIn(response, 401, { problem, userName, next });
    };
    if (!user) return refuse('This user name and password do not sign anybody in.');
    throttle.forget(tried);
    if (user.passkeys?.length) {
      const site = siteOf(request);
      if (!site || passkeysAt(user, site).length === 0) return refuse(elsewhere(user.passkeys));
      return show(response, passkeyPage(await askPasskey(store, { user, site, now: new Date(now()) }), next));
    }
    const token = await enter(store, user, { now: new Date(now()), browser: browserOf(request) });
    if (token === undefined) return refuse('This user name and password do not sign anybody in.');
    await letIn(request, response, options, { token, user: user._id, next });
  };

/** The second step. The token of the first one is good once, so an answer is tried once. */
const createSecondStep =
  (options: SignInOptions): Submitted =>
  async (request, response, form) => {
    const { openStore, now = Date.now, note = () => {} } = options;
    const [store, site, next] = [await openStore(), siteOf(request), nextPage(form.get('next'))];
    const at = new Date(now());
    const asked = await takeAsked(store, form.get('token') ?? '', at);
    const user =
      asked && asked.name === undefined && (await store.dashboard.users.findOne({ _id: asked.user }));
    const { challenge = '' } = asked ?? {};
    const passkey = user && site && (await usedPasskey(form.get('answer') ?? '', { user, site, challenge }));
    const token = passkey && (await enter(store, user, { now: at, browser: browserOf(request), passkey }));
    if (!token) {
      note({ event: 'sign_in.failed', from: fromOf(request) });
      return showSignIn(response, 401, {
        problem: 'The passkey did not sign anybody in. Begin again.',
        next,
      });
    }
    await letIn(request, response, options, { token, user: user._id, next });
  };

const chosen = 'The password is chosen. Sign in with it, and with your passkey.';

/** The page of an invitation, and its form. A token of 256 bits is not guessed, so no try is counted. */
const createInvitation = (options: SignInOptions) => {
  const { openStore, now = Date.now, passwordCost: cost } = options;
  const nameOf = createNameOf(options);
  const invited = async (request: Request) =>
    invitedBy(await openStore(), String(request.params.token), new Date(now()));
  const sayOver = (response: Response): void => show(response, overPage(), 410);

  const look: RequestHandler = async (request, response) => {
    const user = await invited(request).catch(() => 'away' as const);
    if (user === 'away') return showSignIn(response, 503, { problem: away });
    if (!user) return sayOver(response);
    show(response, invitePage(user.userName, present({ signedIn: await nameOf(request) })));
  };

  const accept = async (request: Request, response: Response, form: URLSearchParams): Promise<void> => {
    const user = await invited(request);
    if (!user) return sayOver(response);
    const password = form.get('password') ?? '';
    const problem = await passwordProblem(password, [user.userName, user.company]);
    if (problem) return show(response, invitePage(user.userName, { problem }), 400);
    const choice = { user, password, now: new Date(now()), browser: browserOf(request), cost };
    const accepted = await acceptInvite(await openStore(), String(request.params.token), choice);
    if (!accepted) return sayOver(response);
    const { token } = accepted;
    if (token === undefined) return showSignIn(response, 200, { problem: chosen, userName: user.userName });
    await letIn(request, response, options, { token, user: user._id, next: '/' });
  };
  return { look, accept };
};

export const createSignIn = (options: SignInOptions) => {
  const { openStore, now = Date.now, formMs = 5_000, note = () => {}, onError = () => {} } = options;
  const throttle = createThrottle(now);
  const invitation = createInvitation(options);
  const submit = createSubmit(throttle, formMs, onError);

  const leave: RequestHandler = async (request, response) => {
    if (!isOurForm(request)) return breakOff(response, 403, notOurs);
    const token = tokenIn(request);
    const end = async (held: string) => signOut(await openStore(), held);
    setCookie(request, response, '', 0);
    try {
      const user = token === undefined ? undefined : await end(token);
      if (user !== undefined) note({ event: 'sign_out', by: `user:${user}` });
      response.redirect(303, '/sign-in');
    } catch {
      showSignIn(response, 503, { problem: stillValid });
    }
  };

  const nameOf = createNameOf(options);
  const askIn: RequestHandler = async (request, response) => {
    const next = nextPage(request.query.next);
    if ((await nameOf(request)) !== undefined) response.redirect(302, next);
    else showSignIn(response, 200, { next });
  };

  const routes = Router();
  routes.get('/sign-in', askIn);
  routes.post('/sign-in', submit(createAttempt(options, throttle)));
  routes.post('/sign-in/passkey', submit(createSecondStep(options), longestForm.withPasskey));
  routes.get(scriptPath, (_request, response) => void response.type('js').send(browserScript));
  routes.use('/account', createAccount(options, throttle, submit));
  routes.get('/invite/:token', invitation.look);
  routes.post('/invite/:token', submit(invitation.accept));
  routes.get('/sign-out', async (request, response) => show(response, signOutPage(await nameOf(request))));
  routes.post('/sign-out', leave);
  return { routes, gate: createGate(options) };
};

export type SignIn = ReturnType<typeof createSignIn>;
