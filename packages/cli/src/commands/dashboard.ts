import { randomBytes } from 'node:crypto';
import { hashPassword } from '@roster/access';
import type { DashboardUserDocument } from '@roster/store';
import { audited } from '../audited.ts';
import type { Family, Tools } from '../command.ts';
import { missing, type Result } from '../result.ts';
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

const stateOf = ({ active, password }: DashboardUserDocument): string => {
  if (!active) return 'not active';
  return password ? 'may sign in' : 'no password';
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

/** 24 letters of 64: 144 bits, too many to remember. */
const newPassword = (): string => randomBytes(18).toString('base64url');

/** Made here and shown once: it is random, so it is neither weak nor used elsewhere. Signed-in users have to sign in again. */
const setPassword = async ({ servers, io }: Tools, userName: string, options: Options): Promise<Result> => {
  const wanted = userName.trim().toLowerCase();
  const user = (await inCompany(servers, options)).find((known) => known.userName.toLowerCase() === wanted);
  if (!user) throw missing(`there is no dashboard user ${userName}. "roster dashboard users" shows them.`);
  const text = newPassword();
  const password = await hashPassword(text);
  const store = await servers.store();
  const entry = { what: 'user.password_set', target: user._id, company: user.company, now: io.now() };
  await audited(store, entry, async (session) => {
    await store.models.dashboard_users.updateOne({ _id: user._id }, { $set: { password } }, { session });
    await store.dashboard.sessions.deleteMany({ user: user._id }, { session });
  });
  return {
    json: { id: user._id, userName: user.userName, password: text },
    text: `${text}\n`,
    notes: [
      `Password of ${user.userName} for the board. It is shown this once and stored nowhere.`,
      !user.active && 'The user is not active, and so cannot sign in.',
    ],
  };
};

const flags = { '--company <id>': 'the company; not needed when there is one' };

export const dashboardCommands: Family = {
  about: 'dashboard users, managed by an identity provider through SCIM',
  example: 'roster dashboard password ada@acme.com',
  commands: {
    users: { about: 'all dashboard users of a company', flags, run: listUsers },
    password: {
      about: 'make a password with which a user can sign in to the board; it is shown once',
      args: { '<userName>': 'the user' },
      flags,
      run: setPassword,
    },
  },
};
