/** Accepts an invitation: the link is good once, and whoever has it chooses the password of its user and is signed in. */
import { hashPassword, inviteId } from '@roster/access';
import type { DashboardUserDocument, Store } from '@roster/store';
import { addSession } from './sessions.ts';

export type Invited = Pick<DashboardUserDocument, '_id' | 'userName' | 'company' | 'passkeys'>;

/** Who is invited by this link, while it is good. */
export const invitedBy = async (
  { dashboard }: Store,
  token: string,
  now: Date,
): Promise<Invited | undefined> => {
  const invite = await dashboard.sessions.findOne({ _id: inviteId(token) });
  if (!invite || invite.expires <= now) return undefined;
  return (await dashboard.users.findOne({ _id: invite.user, active: true })) ?? undefined;
};

interface Accepted {
  user: Invited;
  password: string;
  now: Date;
  browser: string;
  cost: number | undefined;
}

/** Undefined when somebody else was first. Other sessions and links of the user end. The link does not stand for a passkey: who has one gets no session. */
export const acceptInvite = async (
  store: Store,
  token: string,
  { user, password, now, browser, cost }: Accepted,
): Promise<{ token?: string } | undefined> => {
  const kept = await hashPassword(password, cost);
  const { dashboard_users: users, dashboard_sessions: sessions } = store.models;
  return store.transact(async (session) => {
    const { deletedCount } = await sessions.deleteOne({ _id: inviteId(token) }, { session });
    if (deletedCount === 0) return undefined;
    const still = { _id: user._id, active: true };
    const set = { password: kept, password_set: now, signed_in: now };
    if ((await users.updateOne(still, { $set: set }, { session })).matchedCount === 0) return undefined;
    await sessions.deleteMany({ user: user._id }, { session });
    const entry = { what: 'user.password_set', target: user._id, company: user.company };
    await store.audit.append(session, { ...entry, at: now.getTime() * 1000, by: `user:${user._id}` });
    if (user.passkeys?.length) return {};
    return { token: await addSession(store, session, user._id, { now, browser }) };
  });
};
