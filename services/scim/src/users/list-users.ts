/**
 * Lists of users: RFC 7644 3.4.2. MongoDB finds a page that is neither filtered nor sorted. Everything else looks at one user after the
 * other, in slices, and is refused when it costs too much: a company has hundreds, seldom thousands.
 */
import { scimSchemas } from '@roster/contract';
import type { DashboardUserDocument as User } from '@roster/store';
import type { Filter } from 'scim2-parse-filter';
import type { Resource } from '../attributes/attribute.ts';
import { userAttributes } from '../attributes/user-attributes.ts';
import { type Picking, view } from '../attributes/view.ts';
import { compileFilter } from '../filter/compile-filter.ts';
import { comparisonsIn, parseFilter } from '../filter/parse-filter.ts';
import type { CallContext } from '../handler.ts';
import { badValue } from '../refusals.ts';
import { stepsOf, weightOf } from '../work.ts';
import { allUsers, candidates } from './candidates.ts';
import { showUser } from './show-user.ts';
import { type Sort, type SortKey, type SortQuery, sortOf } from './sort.ts';

export interface ListRequest extends SortQuery {
  filter?: string | null | undefined;
  startIndex?: number | null | undefined;
  count?: number | null | undefined;
  picking: Picking;
}

const usualCount = 100;
export const mostResults = 200;
const largest = 2 ** 31 - 1;

/** What it takes to read a user, in steps, however small. */
const readSteps = 30;

const bounded = (name: string, value: number, least: number, most: number): number => {
  if (!Number.isInteger(value) || Math.abs(value) > largest) throw badValue(`${name} must be a whole number`);
  return Math.min(Math.max(value, least), most);
};

export const listMessage = (found: readonly unknown[], total: number, startIndex: number) => ({
  schemas: [scimSchemas.list],
  totalResults: total,
  itemsPerPage: found.length,
  startIndex,
  Resources: found,
});

/** One page: it ends at its last place, or before it grows too large. RFC 7644 3.4.2.4 lets a page hold fewer than were asked for. */
const createPage = ({ count, bytes }: { count: number; bytes: number }) => {
  const resources: Resource[] = [];
  let left = bytes;
  let isFull = count === 0;
  return {
    resources,
    isFull: () => isFull,
    /** Takes what still fits, and the first one in any case. */
    add(resource: Resource): void {
      left -= Buffer.byteLength(JSON.stringify(resource));
      if (resources.length === 0 || left >= 0) resources.push(resource);
      isFull = resources.length === count || left <= 0;
    },
  };
};

/** What is the same for every user of a list. */
const lookOf = (asked: CallContext, filter: Filter | undefined, count: number, picking: Picking) => {
  const attributes = userAttributes(asked.company);
  return {
    asked,
    show: (user: User) => showUser(user, asked.company, asked.publicUrl),
    pick: view(attributes, picking),
    test: filter ? compileFilter(attributes, filter) : () => true,
    /** Steps for each part of a user. */
    steps: stepsOf.show + stepsOf.compare * (filter ? comparisonsIn(filter) : 0),
    page: createPage({ count, bytes: asked.limits.pageBytes }),
  };
};

type Look = ReturnType<typeof lookOf>;

async function* matching(users: AsyncIterable<User>, { asked, show, test, steps }: Look) {
  for await (const user of users) {
    const shown = show(user);
    asked.work.spend(readSteps + weightOf(shown) * steps);
    if (test(shown)) yield shown;
    await asked.work.breathe();
  }
}

/** Without filter and sort, only the users of the page are read. */
const readPage = async (look: Look, start: number, count: number): Promise<number> => {
  const { asked, show, pick, page } = look;
  const company = asked.company.id;
  if (count > 0)
    for await (const user of allUsers(asked)
      .skip(start - 1)
      .limit(count)) {
      page.add(pick(show(user)));
      if (page.isFull()) break;
      await asked.work.breathe();
    }
  return asked.store.dashboard.users.countDocuments({ company });
};

/** Counts all users that match; only those on the page are kept in memory. */
const readMatches = async (look: Look, users: AsyncIterable<User>, start: number): Promise<number> => {
  let total = 0;
  for await (const shown of matching(users, look)) {
    total += 1;
    if (total >= start && !look.page.isFull()) look.page.add(look.pick(shown));
  }
  return total;
};

/** Of all that match the keys are kept; who is on the page is read once more. */
const readSorted = async (look: Look, users: AsyncIterable<User>, sort: Sort, start: number) => {
  const found: { id: string; key: SortKey }[] = [];
  for await (const shown of matching(users, look))
    found.push({ id: String(shown.id), key: sort.keyOf(shown) });
  found.sort((a, b) => sort.compare(a.key, b.key));
  const { store, company } = look.asked;
  for (const { id } of found.slice(start - 1)) {
    if (look.page.isFull()) break;
    const user = await store.dashboard.users.findOne({ _id: id, company: company.id });
    if (user) look.page.add(look.pick(look.show(user)));
    await look.asked.work.breathe();
  }
  return found.length;
};

export const listUsers = async (request: ListRequest, asked: CallContext) => {
  const start = bounded('startIndex', request.startIndex ?? 1, 1, largest);
  const count = bounded('count', request.count ?? usualCount, 0, mostResults);
  const filter = request.filter == null ? undefined : parseFilter(request.filter);
  const sort = sortOf(userAttributes(asked.company), request);
  const look = lookOf(asked, filter, count, request.picking);
  const read = async (): Promise<number> => {
    if (!filter && !sort) return readPage(look, start, count);
    const users = filter ? await candidates(asked, filter) : allUsers(asked);
    return sort ? readSorted(look, users, sort, start) : readMatches(look, users, start);
  };
  const total = await read();
  return listMessage(look.page.resources, total, start);
};
