/** Who is signed in. What the browser holds is kept as a hash only; whether its user may still be here is asked at every request. */
import { createHash, randomBytes } from 'node:crypto';
import { type CompanySettings, verifyPassword } from '@roster/access';
import { type DashboardUserDocument, dashboardClaim, type Session, type Store } from '@roster/store';

export const sessionHours = 12;

const idOf = (token: string): string => createHash('sha256').update(token).digest('hex');

interface Tried {
  userName: string;
  password: string;
  now: Date;
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

/** Returns its token. */
export const addSession = async (
  { models }: Store,
  session: Session,
  user: string,
  now: Date,
): Promise<string> => {
  const token = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + sessionHours * 3_600_000);
  await models.dashboard_sessions.insertOne({ _id: idOf(token), user, expires }, { session });
  return token;
};

/** Undefined for a wrong name, a wrong password and a user who is not active alike. */
export const signIn = async (
  store: Store,
  tried: Tried,
): Promise<{ token: string; user: DashboardUserDocument } | undefined> => {
  const { userName, now } = tried;
  const user = await userWithPassword(await candidates(store, userName), tried);
  if (!user) return undefined;
  return store.transact(async (session) => {
    // A deactivation writes the same document: of two concurrent transactions one comes first, and the other sees its effect.
    const still = { _id: user._id, active: true, 'password.hash': user.password?.hash ?? '' };
    const set = { $set: { signed_in: now } };
    const { matchedCount } = await store.models.dashboard_users.updateOne(still, set, { session });
    if (matchedCount === 0) return undefined;
    return { token: await addSession(store, session, user._id, now), user };
  });
};

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

/** Returns the id of the user. */
export const signOut = async (store: Store, token: string): Promise<string | undefined> => {
  const session = await store.dashboard.sessions.findOneAndDelete({ _id: idOf(token) });
  return session?.user;
};
