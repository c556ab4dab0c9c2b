/** The table: everything the interface can do. */
import type { OperationOf, QueueName } from '../operation.ts';
import { usersExportIds } from './export.ts';
import { usersAliasNew, usersAliasUpdate } from './identity-alias.ts';
import { usersDelete } from './identity-delete.ts';
import { usersExternalIdsRemove, usersExternalIdsRename } from './identity-external-ids.ts';
import { usersIdentify } from './identity-identify.ts';
import { usersMerge } from './identity-merge.ts';
import { requestsRead } from './requests.ts';
import { scimOperations } from './scim/index.ts';
import { subscriptionHistory } from './subscription-history.ts';
import { subscriptionStatusGet, subscriptionUserStatus } from './subscription-reads.ts';
import { subscriptionStatusSet, subscriptionStatusSetV2 } from './subscription-set.ts';
import { usersTrack } from './track.ts';
import { usersTrackBulk } from './track-bulk.ts';
import { usersTrackSync } from './track-sync.ts';

const table = [
  usersTrack,
  usersTrackSync,
  usersTrackBulk,
  usersAliasNew,
  usersAliasUpdate,
  usersIdentify,
  usersMerge,
  usersDelete,
  usersExternalIdsRename,
  usersExternalIdsRemove,
  usersExportIds,
  subscriptionStatusSet,
  subscriptionStatusSetV2,
  subscriptionStatusGet,
  subscriptionUserStatus,
  subscriptionHistory,
  requestsRead,
  ...scimOperations,
] as const;

type Row = (typeof table)[number];

export type OperationId = Row['id'];
export type Operation = OperationOf<OperationId>;

/** The operations of a queue: what its worker has to have a line for. */
export type OperationsOf<Queue extends QueueName> = Extract<Row, { queue: Queue }>['id'];

/** The lists in which an operation names people. */
export type ListsOf<Id extends OperationId> =
  Extract<Row, { id: Id }> extends OperationOf<string, QueueName, infer List> ? List : never;

export const operations: readonly Operation[] = table;

const byId: ReadonlyMap<string, Operation> = new Map(operations.map((row) => [row.id, row]));

export function operationById(id: string): Operation | undefined {
  return byId.get(id);
}
