/** Which userNames and emails are whose. The `_id` of a claim makes an address unique, in any letter case, whoever comes at the same time. */
import { addressClaim, type DashboardUserDocument, type Session, type Store } from '@roster/store';
import { userExists } from '../refusals.ts';

const claimsOf = ({ company, userName, emails = [] }: DashboardUserDocument): string[] => [
  ...new Set(
    [userName, ...emails.map(({ value }) => value)].map((address) => addressClaim(company, address)),
  ),
];

/** Takes what the user needs and gives back what it no longer has. */
export const claimAddresses = async (
  { dashboard: { claims } }: Store,
  session: Session,
  user: DashboardUserDocument,
): Promise<void> => {
  const wanted = claimsOf(user);
  const held = await claims.find({ _id: { $in: wanted } }, { session }).toArray();
  if (held.some((claim) => claim.user !== user._id)) throw userExists();
  const known = new Set(held.map(({ _id }) => _id));
  const fresh = wanted.filter((key) => !known.has(key));
  if (fresh.length > 0)
    await claims.insertMany(
      fresh.map((_id) => ({ _id, user: user._id })),
      { session },
    );
  await claims.deleteMany({ user: user._id, _id: { $nin: wanted } }, { session });
};
