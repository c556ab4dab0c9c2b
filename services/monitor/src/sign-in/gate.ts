/** Who may see the board: everything behind the gate is for those who may enter. */
import { isIP } from 'node:net';
import type { CompanySettings } from '@roster/access';
import type { SecurityEvent } from '@roster/runtime';
import type { Store } from '@roster/store';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { isForProgram, tell } from '../tell.ts';
import { operator, type Viewer, viewerOf } from '../viewer.ts';
import { tokenIn } from './cookie.ts';
import { signInFor } from './next-page.ts';
import { signedIn } from './sessions.ts';

type SignInMode = 'auto' | 'always' | 'never';

/** For so long a no is good: the first dashboard user shuts the door within this time. */
const knownMs = 2_000;

/** Whether the board asks people to sign in. Once there was a dashboard user it does for good. */
const createNeed = (options: { mode: SignInMode; openStore(): Promise<Store>; now: () => number }) => {
  const { mode, openStore, now } = options;
  let known: { isNeeded: boolean; until: number } | undefined;

  const ask = async (): Promise<boolean> => {
    const { dashboard, audit } = await openStore();
    const hasUsers = (await dashboard.users.findOne({}, { projection: { _id: 1 } })) !== null;
    // The audit log outlives the users: the board must not open to all callers when the last user is deleted.
    const isNeeded = hasUsers || (await audit.tellsOf('user.created'));
    known = { isNeeded, until: isNeeded ? Number.POSITIVE_INFINITY : now() + knownMs };
    return isNeeded;
  };

  /** Throws when MongoDB cannot tell. A board that was open stays open while MongoDB is away: operators need it most then. */
  return async (): Promise<boolean> => {
    if (mode !== 'auto') return mode === 'always';
    if (known && now() < known.until) return known.isNeeded;
    return ask().catch((error) => {
      if (known?.isNeeded === false) return false;
      throw error;
    });
  };
};

const local = /^localhost$|\.localhost$/;

const nameIn = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');

/**
 * Whether the board is requested under one of its own host names. While the board is open, a page on the internet could have its own name
 * point to this machine (DNS rebinding) and read the board in the browser of an operator. An IP address cannot be rebound.
 * `names`: as they are configured, with commas between them.
 */
export const createIsOurHost = (names: string) => {
  const ours = new Set(
    names
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  );
  return (host: string | undefined): boolean => {
    if (host === undefined) return false;
    const name = nameIn(host);
    return ours.has(name) || local.test(name) || isIP(name) !== 0;
  };
};

export interface GateOptions {
  mode: SignInMode;
  openStore(): Promise<Store>;
  now?: () => number;
  /** Host names under which the board is served while it needs no sign-in. */
  hosts?: string;
  /** Receives security events. */
  note?(event: SecurityEvent): void;
}

/** Of the driver, whose classes all begin so. */
export const isAway = (error: unknown): boolean => error instanceof Error && error.name.startsWith('Mongo');

export const away =
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
  const [status, message] = answers[why];
  if (why === 'signed out' && request.accepts('html') && !isForProgram(request))
    response.redirect(302, signInFor(request));
  else tell(request, response, status, message);
};

/** Everything behind this is for those who may enter; `response.locals.viewer` says what they may see. */
export const createGate = ({
  mode,
  openStore,
  now = Date.now,
  hosts = '',
  note = () => {},
}: GateOptions): RequestHandler => {
  const isNeeded = createNeed({ mode, openStore, now });
  const isOurHost = createIsOurHost(hosts);

  const viewerBehind = async (token: string | undefined, { locals }: Response): Promise<Viewer | Closed> => {
    const store = await openStore();
    const user = token === undefined ? undefined : await signedIn(store, token, new Date(now()));
    if (!user) return 'signed out';
    locals.userName = user.userName;
    const viewer = viewerOf(user, await store.companies.get<CompanySettings>(user.company));
    if (viewer) return viewer;
    note({ event: 'board.refused', by: `user:${user._id}` });
    return 'not allowed';
  };

  const enter = async (request: Request, response: Response): Promise<Viewer | Closed> => {
    if (await isNeeded()) return viewerBehind(tokenIn(request), response);
    return isOurHost(request.headers.host) ? operator : 'other host';
  };

  return async (request: Request, response: Response, next: NextFunction) => {
    const entered = await enter(request, response).catch((): Closed => 'away');
    if (typeof entered === 'string') return turnAway(request, response, entered);
    response.locals.viewer = entered;
    next();
  };
};
