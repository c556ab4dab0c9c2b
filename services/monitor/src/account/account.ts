/** What dashboard users do with their own account: another password, passkeys, and the end of sessions elsewhere. */
import { hashPassword, verifyPassword } from '@roster/access';
import { present } from '@roster/contract';
import type { DashboardUserDocument, Session, Store } from '@roster/store';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { tokenIn } from '../sign-in/cookie.ts';
import { longestForm } from '../sign-in/form.ts';
import { away } from '../sign-in/gate.ts';
import type { SignInOptions } from '../sign-in/options.ts';
import { askNewPasskey, madePasskey, mostPasskeys, siteOf, takeAsked } from '../sign-in/passkeys.ts';
import { passwordProblem } from '../sign-in/passwords.ts';
import { endOthers, sessionsOf, signedIn } from '../sign-in/sessions.ts';
import { fromOf, type Submit, show, showSignIn } from '../sign-in/submitted.ts';
import type { createThrottle } from '../sign-in/throttle.ts';
import { accountPage, newPasskeyPage } from './page.ts';

/** Somebody who is signed in, and what they ask with. */
interface Asker {
  store: Store;
  user: DashboardUserDocument;
  token: string;
  now: Date;
  cost: number | undefined;
}

/** `problem`: why nothing was done. `page`: what is asked before. */
type Done = { done: string } | { problem: string } | { page: string };

type Action = (asker: Asker, form: URLSearchParams, request: Request) => Promise<Done>;

/** The user, the audit log and the sessions change together. Nothing changes for a user whose password was replaced in between. */
const change = ({ store, user, token, now }: Asker, what: string, write: object) =>
  store.transact(async (session: Session) => {
    const still = { _id: user._id, active: true, 'password.hash': user.password?.hash ?? '' };
    const { matchedCount } = await store.models.dashboard_users.updateOne(still, write, { session });
    if (matchedCount === 0) return false;
    await endOthers(store, session, user._id, token);
    const entry = { what, target: user._id, company: user.company, by: `user:${user._id}` };
    await store.audit.append(session, { ...entry, at: now.getTime() * 1000 });
    return true;
  });

const changedMeanwhile = { problem: 'The account was changed elsewhere in the meantime. Try again.' };

const changePassword: Action = async (asker, form) => {
  const { user, now, cost } = asker;
  const word = form.get('new') ?? '';
  const problem = await passwordProblem(word, [user.userName, user.company]);
  if (problem) return { problem };
  const set = { password: await hashPassword(word, cost), password_set: now };
  const isDone = await change(asker, 'user.password_set', { $set: set });
  return isDone ? { done: 'The password is changed. You are signed out everywhere else.' } : changedMeanwhile;
};

const addPasskey: Action = async ({ store, user, now }, form, request) => {
  const site = siteOf(request);
  if (!site) return { problem: 'Open this page under a name: a passkey cannot be made for an IP address.' };
  if ((user.passkeys ?? []).length >= mostPasskeys)
    return { problem: `There are ${mostPasskeys} passkeys. Remove one first.` };
  const asked = await askNewPasskey(store, { user, site, now, name: form.get('name') ?? '' });
  return { page: newPasskeyPage(asked) };
};

const removePasskey: Action = async (asker, form) => {
  const id = form.get('passkey') ?? '';
  if (!asker.user.passkeys?.some((passkey) => passkey.id === id))
    return { problem: 'This passkey is not there.' };
  const isDone = await change(asker, 'user.passkey_removed', { $pull: { passkeys: { id } } });
  return isDone ? { done: 'The passkey is removed.' } : changedMeanwhile;
};

const endSessions: Action = async ({ store, user, token }) => {
  await store.transact((session) => endOthers(store, session, user._id, token));
  return { done: 'You are signed out everywhere else.' };
};

const actions: Readonly<Record<string, Action>> = {
  password: changePassword,
  'passkey.add': addPasskey,
  'passkey.remove': removePasskey,
  'sessions.end': endSessions,
};

const createFind =
  ({ openStore, now = Date.now, passwordCost: cost }: SignInOptions) =>
  async (request: Request): Promise<Asker | undefined> => {
    const [store, token, at] = [await openStore(), tokenIn(request), new Date(now())];
    const known = token === undefined ? undefined : await signedIn(store, token, at);
    const user = known && (await store.dashboard.users.findOne({ _id: known._id }));
    return user && token !== undefined ? { store, user, token, now: at, cost } : undefined;
  };

const showAccount = async (
  request: Request,
  response: Response,
  { store, user, token, now }: Asker,
  { status = 200, ...told }: { status?: number; problem?: string; done?: string } = {},
): Promise<void> => {
  const [fresh, sessions] = await Promise.all([
    store.dashboard.users.findOne({ _id: user._id }),
    sessionsOf(store, user._id, token, now),
  ]);
  show(response, accountPage({ user: fresh ?? user, sessions, site: siteOf(request), ...told }), status);
};

const toSignIn = (response: Response): void => response.redirect(303, '/sign-in?next=%2Faccount');

/** Before anything else the password as it is: who finds a browser that is signed in does not know it. */
const createAct =
  (options: SignInOptions, throttle: ReturnType<typeof createThrottle>) =>
  async (request: Request, response: Response, form: URLSearchParams): Promise<void> => {
    const { note = () => {} } = options;
    const asker = await createFind(options)(request);
    if (!asker) return toSignIn(response);
    const { user, cost } = asker;
    const tried = { ip: request.ip ?? '', userName: user.userName };
    const refuse = (status: number, problem: string) =>
      showAccount(request, response, asker, { status, problem });
    const what = form.get('do') ?? '';
    const act = Object.hasOwn(actions, what) ? actions[what] : undefined;
    if (!act) return refuse(400, 'There is no such form.');
    if (!throttle.mayTry(tried)) {
      note({ event: 'sign_in.throttled', from: fromOf(request) });
      return refuse(429, 'Too many tries. Wait six minutes.');
    }
    if (!(await verifyPassword(user.password, form.get('current') ?? '', cost))) {
      note({ event: 'sign_in.failed', by: `user:${user._id}`, from: fromOf(request) });
      return refuse(401, 'This is not your password.');
    }
    throttle.forget(tried);
    const done = await act(asker, form, request);
    if ('page' in done) return show(response, done.page);
    if ('problem' in done) return refuse(400, done.problem);
    note({ event: 'account.changed', by: `user:${user._id}`, from: fromOf(request) });
    return showAccount(request, response, asker, done);
  };

/** The answer of a passkey that is new. */
const createKeep =
  (options: SignInOptions) =>
  async (request: Request, response: Response, form: URLSearchParams): Promise<void> => {
    const { note = () => {} } = options;
    const [asker, site] = [await createFind(options)(request), siteOf(request)];
    if (!asker) return toSignIn(response);
    const { store, user, now } = asker;
    const asked = await takeAsked(store, form.get('token') ?? '', now);
    const { challenge = '', name } = asked?.user === user._id ? asked : {};
    const made =
      site && name !== undefined
        ? await madePasskey(form.get('answer') ?? '', { site, challenge, name, now })
        : undefined;
    const isKnown = made && user.passkeys?.some(({ id }) => id === made.id);
    const isDone =
      made && !isKnown && (await change(asker, 'user.passkey_added', { $push: { passkeys: made } }));
    if (!isDone)
      return showAccount(request, response, asker, {
        status: 400,
        problem: 'The passkey was not added. Begin again.',
      });
    note({ event: 'account.changed', by: `user:${user._id}`, from: fromOf(request) });
    return showAccount(request, response, asker, present({ done: `The passkey ${name} is added.` }));
  };

export const createAccount = (
  options: SignInOptions,
  throttle: ReturnType<typeof createThrottle>,
  submit: Submit,
): Router => {
  const find = createFind(options);
  const look: RequestHandler = async (request, response) => {
    const asker = await find(request).catch(() => 'away' as const);
    if (asker === 'away') return showSignIn(response, 503, { problem: away });
    return asker ? showAccount(request, response, asker) : toSignIn(response);
  };
  const routes = Router();
  routes.get('/', look);
  routes.post('/', submit(createAct(options, throttle)));
  routes.post('/passkey', submit(createKeep(options), longestForm.withPasskey));
  return routes;
};
