/** The identity of people: aliases, identify, merge, delete and external ids. */
import { usersAliasNew, usersAliasUpdate } from './alias.ts';
import { usersDelete } from './delete.ts';
import { usersExternalIdsRemove, usersExternalIdsRename } from './external-ids.ts';
import { usersIdentify } from './identify.ts';
import { usersMerge } from './merge.ts';

export const identityOperations = [
  usersAliasNew,
  usersAliasUpdate,
  usersIdentify,
  usersMerge,
  usersDelete,
  usersExternalIdsRename,
  usersExternalIdsRemove,
] as const;
