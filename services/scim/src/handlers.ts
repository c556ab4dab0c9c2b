import type { OperationsOf } from '@roster/contract';
import { listSchemas, listTypes, readConfig, readSchema, readType } from './discovery/discovery.ts';
import type { ScimHandler } from './handler.ts';
import { change, create, list, read, remove, replace, search } from './users/users.ts';

/** What this worker does with each operation of its queue. An operation without a line does not compile. */
export const handlers = {
  'scim.users.create': create,
  'scim.users.list': list,
  'scim.users.search': search,
  'scim.search': search,
  'scim.users.read': read,
  'scim.users.replace': replace,
  'scim.users.change': change,
  'scim.users.delete': remove,
  'scim.config.read': readConfig,
  'scim.types.list': listTypes,
  'scim.types.read': readType,
  'scim.schemas.list': listSchemas,
  'scim.schemas.read': readSchema,
} satisfies { readonly [Id in OperationsOf<'scim'>]: ScimHandler };
