/** One change of one user: in a single transaction with its claims, the end of its sessions and its row in the audit log. */
import { isDeepStrictEqual } from 'node:util';
import { type AcceptedRequest, present } from '@roster/contract';
import { type AuditEntry, ownMembers, type Session, type DashboardUserDocument as User } from '@roster/store';
import type { CallContext } from '../handler.ts';
import { otherVersion, tooLarge, userNotFound } from '../refusals.ts';
import { isApplied, markUnchanged } from './applied.ts';
import { claimNames } from './claims.ts';
import { assertInTime, lastSaid } from './in-time.ts';
import type { Settable } from './read-body.ts';
import { settable, versionOf } from './show-user.ts';

/** Attributes that the audit log keeps with their values: they tell what a user may do, and identify no person. */
const told = ['active', 'department', 'permissions'] as const;

const entryOf = (request: AcceptedRequest, what: string, target: string, company: string): AuditEntry => ({
  at: request.at,
  by: `scim:${request.by ?? 'unknown'}`,
  what,
  target,
  company,
  request: request.id,
});

/** All attributes that a provisioner sets. */
const theirs: readonly string[] = [...told, 'userName', 'name', 'externalId', 'displayName', 'emails'];

const changedFields = (before: Partial<User>, after: Partial<User>): string[] => {
  const names = Object.keys({ ...before, ...after }) as (keyof User)[];
  return names.filter((name) => theirs.includes(name) && !isDeepStrictEqual(before[name], after[name]));
};

const toldOf = (user: User, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(told.filter((name) => fields.includes(name)).map((name) => [name, user[name] ?? null]));

const whatOf = (before: User, after: User): string => {
  if (before.active === after.active) return 'user.changed';
  return after.active ? 'user.reactivated' : 'user.deactivated';
};

const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

/** Weak comparison: a version is a version. */
export const namesVersion = (header: string, user: User): boolean => {
  const tags = tagsIn(header);
  return tags.includes('*') || tags.includes(versionOf(user).replace(/^W\//, ''));
};

const assertVersion = ({ headers }: AcceptedRequest, user: User): void => {
  const wanted = headers?.['if-match'];
  if (wanted !== undefined && !namesVersion(wanted, user)) throw otherVersion();
};

export const findUser = ({ store, company }: CallContext, id: string, session?: Session) =>
  store.dashboard.users.findOne({ _id: id, company: company.id }, session ? { session } : {});

/** Of a user as it is shown: the names of things and the permissions of sets count as well. */
const bytesOf = (user: User, { company }: CallContext): number =>
  Buffer.byteLength(JSON.stringify(settable(user, company)));

/** A user from before there was this limit can still be changed, as long as it does not grow. */
const assertFits = (user: User, asked: CallContext, before?: User): void => {
  const most = Math.max(asked.limits.userBytes, before ? bytesOf(before, asked) : 0);
  if (bytesOf(user, asked) > most)
    throw tooLarge(`a user must not be larger than ${asked.limits.userBytes} bytes`);
};

/** The user, and whether this delivery of the job has changed anything. */
interface ChangeOutcome {
  user: User;
  isChanged: boolean;
}

/** Creates the user; a repeated job finds it there. */
export const createUser = (request: AcceptedRequest, asked: CallContext, id: string, given: Settable) => {
  const { store, company } = asked;
  const { at } = request;
  const user: User = { _id: id, company: company.id, at, changed: at, rev: 1, ...given };
  assertFits(user, asked);
  return store.transact(async (session) => {
    if (await isApplied(store, session, request))
      return { user: (await findUser(asked, id, session)) ?? user, isChanged: false };
    assertInTime(request, asked);
    await claimNames(store, session, user);
    await store.models.dashboard_users.insertOne(user, { session });
    const fields = changedFields({}, user);
    const entry = entryOf(request, 'user.created', id, company.id);
    await store.audit.append(session, { ...entry, fields, set: toldOf(user, fields) });
    return { user, isChanged: true };
  });
};

const write = async (
  request: AcceptedRequest,
  asked: CallContext,
  session: Session,
  before: User,
  after: User,
) => {
  const { store, company } = asked;
  const { dashboard, audit } = store;
  await claimNames(store, session, after);
  await store.models.dashboard_users.replaceOne({ _id: before._id }, after, { session });
  if (!after.active) await dashboard.sessions.deleteMany({ user: before._id }, { session });
  const fields = changedFields(before, after);
  const entry = entryOf(request, whatOf(before, after), before._id, company.id);
  await audit.append(session, { ...entry, fields, set: toldOf(after, fields) });
};

const ownOf = (user: User) =>
  present(
    Object.fromEntries(ownMembers.map((name) => [name, user[name]])) as Pick<
      User,
      (typeof ownMembers)[number]
    >,
  );

/** What is ours stays; nothing is written, and no version given, when nothing would be another. */
const next = (before: User, stamp: number, given: Settable): User => {
  const { _id, company, at, rev } = before;
  return {
    _id,
    company,
    at,
    changed: Math.max(lastSaid(before), stamp),
    rev: rev + 1,
    ...given,
    ...ownOf(before),
  };
};

/** Written down even so: what was said before it, and is delayed, must not come after it. */
const noteSame = async (request: AcceptedRequest, { store }: CallContext, session: Session, user: User) => {
  await markUnchanged(store, session, request);
  if (lastSaid(user) < request.at)
    await store.models.dashboard_users.updateOne(
      { _id: user._id },
      { $set: { said: request.at } },
      { session },
    );
};

export const changeUser = (
  request: AcceptedRequest,
  asked: CallContext,
  change: (before: User) => Settable | Promise<Settable>,
): Promise<ChangeOutcome> =>
  asked.store.transact(async (session) => {
    const before = await findUser(asked, request.params?.id ?? '', session);
    if (!before) throw userNotFound();
    if (await isApplied(asked.store, session, request)) return { user: before, isChanged: false };
    assertInTime(request, asked, before);
    assertVersion(request, before);
    const after = next(before, request.at, await change(before));
    assertFits(after, asked, before);
    const isSame =
      changedFields(before, after).length === 0 &&
      before.extended === after.extended &&
      before.active_unset === after.active_unset;
    if (isSame) {
      await noteSame(request, asked, session, before);
      return { user: before, isChanged: false };
    }
    await write(request, asked, session, before, after);
    return { user: after, isChanged: true };
  });

/** Whether this delivery of the job has deleted the user. */
export const deleteUser = (request: AcceptedRequest, asked: CallContext): Promise<boolean> => {
  const { store, company } = asked;
  const { users, claims, sessions } = store.dashboard;
  const id = request.params?.id ?? '';
  return store.transact(async (session) => {
    if (await isApplied(store, session, request)) return false;
    const before = await findUser(asked, id, session);
    if (!before) throw userNotFound();
    assertInTime(request, asked, before);
    assertVersion(request, before);
    await users.deleteOne({ _id: id }, { session });
    await claims.deleteMany({ user: id }, { session });
    await sessions.deleteMany({ user: id }, { session });
    await store.audit.append(session, entryOf(request, 'user.deleted', id, company.id));
    return true;
  });
};
