/** Dashboard users that match a filter in the query or in the body. */
import { exchange, operation } from '../../operation.ts';
import { exampleId, listing, readRow, scimRefusedAs, scimSchemas, shownAda } from './common.ts';
import { refusePasswordInFilter } from './passwords.ts';
import { listQuery, searchBody } from './requests.ts';
import { scimList } from './shapes.ts';

/** A list is more work than a change of one user: a company that asks for many of them gets a lane of its own. */
const listSize = (): number => 20;

export const scimUsersList = operation({
  ...readRow,
  id: 'scim.users.list',
  path: '/scim/v2/Users',
  summary: 'Find dashboard users',
  description:
    'All of the company, or those that match `filter`, in the order in which they were created unless `sortBy` says otherwise. A page ends at 1 MB: `itemsPerPage` says how many users it has, and the next one begins at `startIndex` plus as many. A filter has at most 30 comparisons. `userName`, `externalId` and `emails.value` by `eq` are looked up; any other filter or sort looks at every user and is refused (`tooMany`) when they are too many. A filter by a password is refused and kept nowhere.',
  request: { query: listQuery },
  queryRules: [refusePasswordInFilter],
  size: listSize,
  responses: { 200: scimList },
  rejections: ['SCIM_FILTER_INVALID', 'SCIM_VALUE_INVALID', 'SCIM_TOO_MUCH_WORK'],
  examples: [
    exchange('By email', { query: { filter: 'userName eq "ada@example.com"' }, 200: listing(shownAda) }),
    exchange('A filter that is none', {
      query: { filter: 'userName eq' },
      ...scimRefusedAs('SCIM_FILTER_INVALID'),
    }),
  ],
});

const search = {
  ...readRow,
  method: 'POST',
  request: { body: searchBody },
  rules: [refusePasswordInFilter],
  size: listSize,
  responses: { 200: scimList },
  rejections: ['SCIM_SYNTAX_INVALID', 'SCIM_FILTER_INVALID', 'SCIM_VALUE_INVALID', 'SCIM_TOO_MUCH_WORK'],
  examples: [
    exchange('Those who may not sign in', {
      body: { schemas: [scimSchemas.search], filter: 'active eq false', attributes: ['userName'] },
      200: listing({ schemas: [scimSchemas.user], id: exampleId, userName: 'ada@example.com' }),
    }),
  ],
} as const;

export const scimUsersSearch = operation({
  ...search,
  id: 'scim.users.search',
  path: '/scim/v2/Users/.search',
  summary: 'Find dashboard users, asked in a body',
  description: 'The same as the list: RFC 7644 3.4.3. For filters that should not stand in a URL.',
});

export const scimSearch = operation({
  ...search,
  id: 'scim.search',
  path: '/scim/v2/.search',
  summary: 'Find resources, asked in a body',
  description: 'Users are the only resources that can be searched.',
});
