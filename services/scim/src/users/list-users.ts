/** Lists of users: RFC 7644 3.4.2. Filters are applied here, one user after the other: a company has hundreds, seldom thousands. */
import { scimSchemas } from '@roster/contract';
import { addressClaim, type DashboardUserDocument } from '@roster/store';
import type { Filter } from 'scim2-parse-filter';
import type { Attribute, Resource, Value } from '../attributes/attribute.ts';
import { findChain } from '../attributes/names.ts';
import { userAttributes } from '../attributes/user-attributes.ts';
import { type Picking, view } from '../attributes/view.ts';
import { folded } from '../filter/compare.ts';
import { compileFilter, type Test, valuesAt } from '../filter/compile-filter.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import type { Asked } from '../handler.ts';
import { badValue } from '../refusals.ts';
import { showUser } from './show-user.ts';

type User = DashboardUserDocument;

export interface ListRequest {
  filter?: string | undefined;
  startIndex?: number | undefined;
  count?: number | undefined;
  sortBy?: string | undefined;
  sortOrder?: string | undefined;
  picking: Picking;
}

const usualCount = 100;
export const mostResults = 200;
const largest = 2 ** 31 - 1;

const bounded = (name: string, value: number, least: number, most: number): number => {
  if (!Number.isInteger(value) || Math.abs(value) > largest) throw badValue(`${name} must be a whole number`);
  return Math.min(Math.max(value, least), most);
};

type Sort = (users: Resource[]) => Resource[];

/** Of a list the main value counts, else the first. Whoever has none comes last. */
const sortKey = (
  resource: Resource,
  names: readonly string[],
  { caseExact }: Attribute,
): string | undefined => {
  const [first, ...rest] = names;
  const found = first === undefined ? undefined : resource[first];
  const main = Array.isArray(found)
    ? (found.find((item) => typeof item === 'object' && !Array.isArray(item) && item.primary) ?? found[0])
    : found;
  const [value]: Value[] = valuesAt(main, rest);
  return value === undefined ? undefined : folded(String(value), caseExact);
};

const compare = (a: string | undefined, b: string | undefined): number => {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
};

const sortOf = (
  attributes: readonly Attribute[],
  { sortBy, sortOrder = 'ascending' }: ListRequest,
): Sort | undefined => {
  const order = sortOrder.toLowerCase();
  if (order !== 'ascending' && order !== 'descending')
    throw badValue('sortOrder must be ascending or descending');
  if (sortBy === undefined) return undefined;
  const chain = findChain(attributes, sortBy);
  const last = chain?.at(-1);
  if (!chain || !last) throw badValue(`users have no attribute '${sortBy}' to sort by`);
  const value = last.many && last.sub?.find(({ name }) => name === 'value');
  const names = [...chain.map(({ name }) => name), ...(value ? ['value'] : [])];
  const sign = order === 'ascending' ? 1 : -1;
  return (users) =>
    users
      .map((user) => ({ user, key: sortKey(user, names, last) }))
      .sort((a, b) => sign * compare(a.key, b.key))
      .map(({ user }) => user);
};

/** The question that every provisioner asks before it creates somebody. */
const askedUserName = (filter: Filter | undefined): string | undefined => {
  if (filter?.op !== 'eq' || typeof filter.compValue !== 'string') return undefined;
  return filter.attrPath.toLowerCase() === 'username' ? filter.compValue : undefined;
};

const candidates = async (asked: Asked, filter: Filter | undefined): Promise<AsyncIterable<User>> => {
  const { company, store } = asked;
  const { users, claims } = store.dashboard;
  const userName = askedUserName(filter);
  if (userName === undefined) return users.find({ company: company.id }).sort({ at: 1, _id: 1 });
  const claim = await claims.findOne({ _id: addressClaim(company.id, userName) });
  return users.find({ _id: claim?.user ?? '', company: company.id });
};

const everybody = () => true;

export const listMessage = (found: readonly unknown[], total: number, startIndex: number) => ({
  schemas: [scimSchemas.list],
  totalResults: total,
  itemsPerPage: found.length,
  startIndex,
  Resources: found,
});

interface Matches {
  total: number;
  kept: Resource[];
}

/** Nothing but what may be on the page is kept, unless all have to be sorted first. */
const matches = async (
  users: AsyncIterable<User>,
  show: (user: User) => Resource,
  test: Test,
  keep: Keep,
) => {
  const found: Matches = { total: 0, kept: [] };
  for await (const user of users) {
    const shown = show(user);
    if (!test(shown)) continue;
    found.total += 1;
    if (keep(found.total)) found.kept.push(shown);
  }
  return found;
};

type Keep = (position: number) => boolean;

export const listUsers = async (request: ListRequest, asked: Asked) => {
  const attributes = userAttributes(asked.company);
  const start = bounded('startIndex', request.startIndex ?? 1, 1, largest);
  const count = bounded('count', request.count ?? usualCount, 0, mostResults);
  const filter = request.filter === undefined ? undefined : parseFilter(request.filter);
  const test = filter ? compileFilter(attributes, filter) : everybody;
  const sort = sortOf(attributes, request);
  const isOnPage: Keep = (position) => position >= start && position < start + count;
  const show = (user: User): Resource => showUser(user, asked.company, asked.publicUrl);
  const users = await candidates(asked, filter);
  const { total, kept } = await matches(users, show, test, sort ? everybody : isOnPage);
  const page = sort ? sort(kept).slice(start - 1, start - 1 + count) : kept;
  return listMessage(page.map(view(attributes, request.picking)), total, start);
};
