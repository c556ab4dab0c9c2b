/** Who is signed in. What the browser holds is kept as a hash only; whether its user may still be here is asked at every request. */
import { createHash, randomBytes } from 'node:crypto';
import { type CompanySettings, verifyPassword } from '@roster/access';
import { type DashboardUserDocument, dashboardClaim, type Session, type Store } from '@roster/store';

export const sessionHours = 12;

const idOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const mostShown = 50;

interface Tried {
  userName: string;
  password: string;
  /** Of passwords; for tests. */
  cost: number | undefined;
}

/** One userName may belong to users of several companies; the password tells which. */
const candidates = async (store: Store, userName: string): Promise<DashboardUserDocument[]> => {
  const companies = await store.companies.list<CompanySettings>();
  const keys = companies.map(({ id }) => dashboardClaim(id, userName));
  const claims = await store.dashboard.claims.find({ _id: { $in: keys } }).toArray();
  return store.dashboard.users
    .find({ _id: { $in: claims.map(({ user }) => user) } })
    .limit(3)
    .toArray();
};

const userWithPassword = async (users: readonly DashboardUserDocument[], { password, cost }: Tried) => {
  if (users.length === 0) await verifyPassword(undefined, password, cost);
  for (const user of users) if (await verifyPassword(user.password, password, cost)) return user;
  return undefined;
};

/** What the browser says that it is: for its user, who knows which one that was. */
const longestBrowser = 200;

/** Returns its token. */
export const addSession = async (
  { models }: Store,
  session: Session,
  user: string,
  { now, browser }: { now: Date; browser: string },
): Promise<string> => {
  const token = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + sessionHours * 3_600_000);
  const known = { since: now, browser: browser.slice(0, longestBrowser) };
  await models.dashboard_sessions.insertOne({ _id: idOf(token), user, expires, ...known }, { session });
  return token;
};

/** Undefined for a wrong name, a wrong password and a user who is not active alike. */
export const userWith = async (store: Store, tried: Tried): Promise<DashboardUserDocument | undefined> => {
  const user = await userWithPassword(await candidates(store, tried.userName), tried);
  return user?.active ? user : undefined;
};

interface Entering {
  now: Date;
  browser: string;
  /** That was used, and how often it says it was. */
  passkey?: { id: string; counter: number };
}

/** Of a user whose password was right, and still is. Returns the token of the session. */
export const enter = (
  store: Store,
  user: DashboardUserDocument,
  { now, browser, passkey }: Entering,
): Promise<string | undefined> =>
  store.transact(async (session) => {
    // A deactivation writes the same document: of two concurrent transactions one comes first, and the other sees its effect.
    const still = { _id: user._id, active: true, 'password.hash': user.password?.hash ?? '' };
    const used = passkey && { 'passkeys.$.counter': passkey.counter, 'passkeys.$.used': now };
    const { matchedCount } = await store.models.dashboard_users.updateOne(
      { ...still, ...(passkey && { 'passkeys.id': passkey.id }) },
      { $set: { signed_in: now, ...used } },
      { session },
    );
    return matchedCount === 0 ? undefined : addSession(store, session, user._id, { now, browser });
  });

const whoAndWhat = { projection: { company: 1, userName: 1, active: 1, permissions: 1 } } as const;

export const signedIn = async (
  store: Store,
  token: string,
  now: Date,
): Promise<Pick<DashboardUserDocument, '_id' | 'company' | 'userName' | 'permissions'> | undefined> => {
  const session = await store.dashboard.sessions.findOne({ _id: idOf(token) });
  if (!session || session.expires <= now) return undefined;
  const user = await store.dashboard.users.findOne({ _id: session.user }, whoAndWhat);
  return user?.active ? user : undefined;
};

/** Those of a user that are good now. `isThis`: that of the token. */
export const sessionsOf = async ({ dashboard }: Store, user: string, token: string, now: Date) => {
  const good = { user, expires: { $gt: now }, since: { $exists: true } };
  const found = await dashboard.sessions.find(good).sort({ since: -1 }).limit(mostShown).toArray();
  return found.map(({ _id, since, browser }) => ({ since, browser, isThis: _id === idOf(token) }));
};

/** All but that of the token; links of invitations too. */
export const endOthers = async (
  store: Store,
  session: Session,
  user: string,
  token: string,
): Promise<void> => {
  await store.models.dashboard_sessions.deleteMany({ user, _id: { $ne: idOf(token) } }, { session });
};

/** Returns the id of the user. */
export const signOut = async (store: Store, token: string): Promise<string | undefined> => {
  const session = await store.dashboard.sessions.findOneAndDelete({ _id: idOf(token) });
  return session?.user;
};
