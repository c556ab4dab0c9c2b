/** For tests: people who sign in to the monitor. */
import { completeCompany, hashPassword } from '@roster/access';
import { type DashboardUserDocument, dashboardClaim, type Store } from '@roster/store';
import type request from 'supertest';

export const password = 'correct horse battery staple';

export const admin = { company: ['admin'], roles: [], workspaces: [] };

/** Of the company `acme`, unless said otherwise. */
export const addUser = async (
  { dashboard }: Store,
  userName: string,
  more: Partial<DashboardUserDocument> = {},
): Promise<void> => {
  const usual = { _id: userName, company: 'acme', at: 1, changed: 1, rev: 1, userName, active: true };
  const user = { ...usual, ...more, password: more.password ?? (await hashPassword(password)) };
  await dashboard.users.insertOne(user);
  await dashboard.claims.insertOne({ _id: dashboardClaim(user.company, userName), user: user._id });
};

export const addCompany = ({ companies }: Store, more: object = {}) =>
  companies.put(completeCompany({ id: 'acme', workspaces: [{ name: 'Shop', id: 'shop' }], ...more }));

/** Submits the form; an agent of supertest keeps the cookie. */
export const signIn = (caller: ReturnType<typeof request>, userName: string, word = password) =>
  caller.post('/sign-in').type('form').send({ userName, password: word });
