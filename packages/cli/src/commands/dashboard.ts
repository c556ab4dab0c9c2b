import { randomBytes } from 'node:crypto';
import { type CompanySettings, createInvite, hashPassword } from '@roster/access';
import { isEmail } from '@roster/contract';
import { type DashboardUserDocument, dashboardClaim, idFrom, type Store } from '@roster/store';
import { audited } from '../audited.ts';
import type { Family, Tools } from '../command.ts';
import { boardUrlOf } from '../local.ts';
import { missing, type Result, wrong } from '../result.ts';
import type { Servers } from '../servers.ts';
import { table } from '../shown.ts';
import { companyOf } from './company.ts';

interface Options {
  company?: string;
}

const inCompany = async (servers: Servers, { company }: Options): Promise<DashboardUserDocument[]> => {
  const { id } = await companyOf(servers, company);
  return (await servers.store()).dashboard.users.find({ company: id }).sort({ at: 1, _id: 1 }).toArray();
};

const stateOf = ({ active, password, passkeys = [] }: DashboardUserDocument): string => {
  if (!active) return 'not active';
  if (!password) return 'no password';
  return passkeys.length > 0 ? 'may sign in, with a passkey' : 'may sign in';
};

const listUsers = async ({ servers }: Tools, options: Options): Promise<Result> => {
  const all = await inCompany(servers, options);
  return {
    json: all.map(({ _id, userName, active, signed_in }) => ({ id: _id, userName, active, signed_in })),
    text: table(all, {
      ID: ({ _id }) => _id,
      'USER NAME': ({ userName }) => userName,
      STATE: stateOf,
      'LAST SIGN-IN': ({ signed_in }) => signed_in ?? 'never',
    }),
  };
};

/** Whose user name or email it is. */
const userOf = async ({ dashboard }: Store, company: string, address: string) => {
  const claim = await dashboard.claims.findOne({ _id: dashboardClaim(company, address) });
  return claim ? dashboard.users.findOne({ _id: claim.user }) : null;
};

/** 24 letters of 64: 144 bits, too many to remember. */
const newPassword = (): string => randomBytes(18).toString('base64url');

const userNamed = async (servers: Servers, userName: string, options: Options) => {
  const [store, company] = [await servers.store(), await companyOf(servers, options.company)];
  const user = await userOf(store, company.id, userName);
  if (!user) throw missing(`there is no dashboard user ${userName}. "roster dashboard users" shows them.`);
  return user;
};

/** Made here and shown once: it is random, so it is neither weak nor used elsewhere. Signed-in users have to sign in again. */
const setPassword = async ({ servers, io }: Tools, userName: string, options: Options): Promise<Result> => {
  const user = await userNamed(servers, userName, options);
  const store = await servers.store();
  const text = newPassword();
  const password = await hashPassword(text);
  const entry = { what: 'user.password_set', target: user._id, company: user.company, now: io.now() };
  await audited(store, entry, async (session) => {
    await store.models.dashboard_users.updateOne(
      { _id: user._id },
      { $set: { password, password_set: io.now() } },
      { session },
    );
    await store.dashboard.sessions.deleteMany({ user: user._id }, { session });
  });
  return {
    json: { id: user._id, userName: user.userName, password: text },
    text: `${text}\n`,
    unseen: `${user.userName} has the new password, and nobody knows it: run the command again.`,
    notes: [
      `Password of ${user.userName} for the board. It is shown this once and stored nowhere.`,
      !user.active && 'The user is not active, and so cannot sign in.',
    ],
  };
};

interface InviteOptions extends Options {
  workspace?: string;
  forgetPasskeys?: boolean;
}

/** The company that has the workspace; without one, the named or only company. */
const companyWith = async (servers: Servers, options: InviteOptions): Promise<CompanySettings> => {
  const { workspace, company } = options;
  if (workspace === undefined || company !== undefined) return companyOf(servers, company);
  const all = await (await servers.store()).companies.list<CompanySettings>();
  const owner = all.find(({ workspaces }) => workspaces.some(({ id }) => id === workspace));
  if (owner) return owner;
  const made = `{ "id": "${workspace}", "name": "${workspace}", "workspaces": [{ "id": "${workspace}", "name": "${workspace}" }] }`;
  throw missing(
    `no company has the workspace ${workspace}, and dashboard users belong to a company. Make one: echo '${made}' | roster company apply -`,
  );
};

const permissionsFor = (company: CompanySettings, workspace: string | undefined) => {
  if (workspace === undefined) return { company: ['admin'], roles: [], workspaces: [] };
  if (!company.workspaces.some(({ id }) => id === workspace))
    throw missing(`the company ${company.id} has no workspace ${workspace}`);
  const granted = { id: workspace, permissions: ['admin'], sets: [], teams: [] };
  return { company: [], roles: [], workspaces: [granted] };
};

/** Somebody new may see the workspace, or all of the company; who is there keeps the permissions that a provisioner gave. */
const invite = async ({ servers, io }: Tools, given: string, options: InviteOptions): Promise<Result> => {
  const email = given.trim();
  if (!isEmail(email)) throw wrong(`${email} is no email address`);
  const company = await companyWith(servers, options);
  const [store, now, at] = [await servers.store(), io.now(), io.now().getTime() * 1000];
  const known = await userOf(store, company.id, email);
  if (known && !known.active)
    throw wrong(`${known.userName} is not active: the identity provider has shut them out.`);
  const permissions = permissionsFor(company, options.workspace);
  const forgets = options.forgetPasskeys === true && known !== null;
  const { token, id, expires } = createInvite(now);
  const fresh = { company: company.id, at, changed: at, rev: 1, userName: email, active: true, permissions };
  const user = known ?? { _id: idFrom('dashboard user', id), ...fresh };
  const what = known ? (forgets ? 'user.passkeys_forgotten' : 'user.invited') : 'user.created';
  await audited(store, { what, target: user._id, company: company.id, now }, async (session) => {
    const { dashboard_users: users, dashboard_claims: claims, dashboard_sessions: sessions } = store.models;
    if (!known) {
      await users.insertOne(user, { session });
      await claims.insertOne({ _id: dashboardClaim(company.id, email), user: user._id }, { session });
    }
    if (forgets) await users.updateOne({ _id: user._id }, { $unset: { passkeys: true } }, { session });
    await sessions.deleteMany({ user: user._id, ...(!forgets && { invite: true }) }, { session });
    await sessions.insertOne({ _id: id, user: user._id, expires, invite: true }, { session });
  });
  const link = `${boardUrlOf(io) ?? '<address of the board>'}/invite/${token}`;
  return {
    json: { id: user._id, userName: user.userName, link, expires },
    text: `${link}\n`,
    unseen: 'The link is lost: run the command again, which ends it.',
    notes: [
      `With this link ${user.userName} chooses a password for the board. It is good once, until ${expires.toISOString()}; earlier links of this user are over.`,
      forgets && 'Their passkeys are forgotten, and they are signed out.',
      known !== null && 'The user was there before, and keeps the permissions that they had.',
      !boardUrlOf(io) && 'BOARD_URL, the address of the board, completes the link.',
    ],
  };
};

/** Signed out at once; the link of an invitation ends as well. */
const remove = async ({ servers, io }: Tools, userName: string, options: Options): Promise<Result> => {
  const user = await userNamed(servers, userName, options);
  const { _id, company } = user;
  const store = await servers.store();
  const { users, claims, sessions } = store.dashboard;
  const isProvisioned = (await store.audit.list({ target: _id })).some(({ by }) => by.startsWith('scim:'));
  await audited(store, { what: 'user.deleted', target: _id, company, now: io.now() }, async (session) => {
    await users.deleteOne({ _id }, { session });
    await claims.deleteMany({ user: _id }, { session });
    await sessions.deleteMany({ user: _id }, { session });
  });
  const isLast = (await users.findOne({}, { projection: { _id: 1 } })) === null;
  return {
    json: { id: _id, userName: user.userName, provisioned: isProvisioned },
    text: `removed: ${user.userName} is signed out, and can no longer sign in\n`,
    notes: [
      isProvisioned &&
        'An identity provider manages this user through SCIM. Remove the user there as well, or it makes the user anew.',
      isLast && 'That was the last dashboard user. The board goes on asking for a sign-in: invite somebody.',
    ],
  };
};

const flags = { '--company <id>': 'the company; not needed when there is one' };

export const dashboardCommands: Family = {
  about: 'dashboard users: invited, or managed by an identity provider through SCIM',
  example: 'roster dashboard invite ada@acme.com --workspace shop',
  commands: {
    invite: {
      about: 'make a link with which somebody chooses a password for the board; a new user is made',
      args: { '<email>': 'their address, which is their user name' },
      flags: {
        '--workspace <id>': 'the workspace that a new user administers; all of the company unless said',
        '--forget-passkeys': 'take the passkeys of a user away who has lost them',
        ...flags,
      },
      run: invite,
    },
    'remove <userName>': {
      about: 'remove a dashboard user, who is signed out at once; the way back is a new invitation',
      flags,
      run: remove,
    },
    users: { about: 'all dashboard users of a company', flags, run: listUsers },
    password: {
      about: 'make a password with which a user can sign in to the board; it is shown once',
      args: { '<userName>': 'the user' },
      flags,
      run: setPassword,
    },
  },
};
