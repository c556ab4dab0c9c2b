/** Claims lead from userNames and emails to users. The `_id` of a claim makes a name unique without regard to case, also under concurrency. */
import { type DashboardUserDocument, dashboardClaim, type Session, type Store } from '@roster/store';
import { userExists } from '../refusals.ts';

const claimsOf = ({ company, userName, emails = [] }: DashboardUserDocument): string[] => [
  ...new Set([userName, ...emails.map(({ value }) => value)].map((name) => dashboardClaim(company, name))),
];

/** Adds the claims that the user needs and removes those of names that it no longer has. */
export const claimNames = async (
  { dashboard: { claims }, models }: Store,
  session: Session,
  user: DashboardUserDocument,
): Promise<void> => {
  const wanted = claimsOf(user);
  const existing = await claims.find({ _id: { $in: wanted } }, { session }).toArray();
  if (existing.some((claim) => claim.user !== user._id)) throw userExists();
  const known = new Set(existing.map(({ _id }) => _id));
  const fresh = wanted.filter((key) => !known.has(key)).map((_id) => ({ _id, user: user._id }));
  if (fresh.length > 0) await models.dashboard_claims.insertMany(fresh, { session });
  await claims.deleteMany({ user: user._id, _id: { $nin: wanted } }, { session });
};
