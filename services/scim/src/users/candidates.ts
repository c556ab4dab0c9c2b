/** The users that a filter can match: found by a claim or an index, or else all of the company in the order of their creation. */
import { dashboardClaim, type DashboardUserDocument as User } from '@roster/store';
import type { Filter } from 'scim2-parse-filter';
import type { CallContext } from '../handler.ts';

/** The text that the value at one of these places must be equal to for the filter to match. */
const askedText = (filter: Filter, places: readonly string[], inside = ''): string | undefined => {
  if (filter.op === 'and') {
    const asked = filter.filters.map((part) => askedText(part, places, inside));
    return asked.find((text) => text !== undefined);
  }
  if (filter.op === '[]') return askedText(filter.valFilter, places, `${filter.attrPath}.`);
  if (filter.op !== 'eq' || typeof filter.compValue !== 'string') return undefined;
  return places.includes(`${inside}${filter.attrPath}`.toLowerCase()) ? filter.compValue : undefined;
};

const nameAttributes = ['username', 'emails', 'emails.value'];

const withoutPassword = { projection: { password: 0, passkeys: 0 } } as const;

export const allUsers = ({ company, store }: CallContext) =>
  store.dashboard.users.find({ company: company.id }, withoutPassword).sort({ at: 1 });

const byName = async ({ company, store }: CallContext, name: string): Promise<AsyncIterable<User>> => {
  const claim = await store.dashboard.claims.findOne({ _id: dashboardClaim(company.id, name) });
  return store.dashboard.users.find({ _id: claim?.user ?? '', company: company.id }, withoutPassword);
};

/** Characters that look alike are the same to a filter, and may be stored in either form. */
const byExternalId = ({ company, store }: CallContext, id: string): AsyncIterable<User> => {
  const forms = [id, id.normalize('NFC'), id.normalize('NFD')];
  return store.dashboard.users
    .find({ company: company.id, externalId: { $in: forms } }, withoutPassword)
    .sort({ at: 1 });
};

export const candidates = async (asked: CallContext, filter: Filter): Promise<AsyncIterable<User>> => {
  const name = askedText(filter, nameAttributes);
  if (name !== undefined) return byName(asked, name);
  const externalId = askedText(filter, ['externalid']);
  return externalId === undefined ? allUsers(asked) : byExternalId(asked, externalId);
};
