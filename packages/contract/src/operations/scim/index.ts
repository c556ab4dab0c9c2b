/** Dashboard users, as an identity provider manages them: api.md, and where it is silent RFC 7643 and RFC 7644. */
import {
  scimConfigRead,
  scimSchemasList,
  scimSchemasRead,
  scimTypesList,
  scimTypesRead,
} from './discovery.ts';
import { scimSearch, scimUsersList, scimUsersSearch } from './lists.ts';
import {
  scimUsersChange,
  scimUsersCreate,
  scimUsersDelete,
  scimUsersRead,
  scimUsersReplace,
} from './users.ts';

export { scimSchemas } from './identifiers.ts';

export const scimOperations = [
  scimUsersCreate,
  scimUsersList,
  scimUsersSearch,
  scimSearch,
  scimUsersRead,
  scimUsersReplace,
  scimUsersChange,
  scimUsersDelete,
  scimConfigRead,
  scimTypesList,
  scimTypesRead,
  scimSchemasList,
  scimSchemasRead,
] as const;
