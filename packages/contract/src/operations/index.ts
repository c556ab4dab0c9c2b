/** The table: everything the interface can do. */
import type { OperationOf, QueueFamily } from '../operation.ts';
import { contentBlocksCreate, contentBlocksDelete, contentBlocksUpdate } from './content-blocks/changes.ts';
import { contentBlocksInfo, contentBlocksList } from './content-blocks/reads.ts';
import { usersExportIds } from './export/ids.ts';
import { requestsRead } from './export/requests.ts';
import { usersAliasNew, usersAliasUpdate } from './identity/alias.ts';
import { usersDelete } from './identity/delete.ts';
import { usersExternalIdsRemove, usersExternalIdsRename } from './identity/external-ids.ts';
import { usersIdentify } from './identity/identify.ts';
import { usersMerge } from './identity/merge.ts';
import {
  integrationCreate,
  integrationDelete,
  integrationSync,
  integrationUpdate,
} from './integrations/changes.ts';
import { integrationGet, integrationList, jobRows, jobSyncStatus } from './integrations/reads.ts';
import { activityGet, activityRegister, activityStart, activityUpdate } from './live-activities.ts';
import { contentCardsGet, scheduledBroadcasts, scheduleGet, sendsGet } from './messages/reads.ts';
import { messagesSend, scheduleCreate, scheduleDelete, scheduleUpdate } from './messages/schedules.ts';
import {
  preferenceCenterCreate,
  preferenceCenterUpdate,
  preferenceCenterUpdateByPost,
} from './preference-centers/changes.ts';
import {
  preferenceCenterGet,
  preferenceCenterList,
  preferenceCenterUrl,
} from './preference-centers/reads.ts';
import {
  scimConfigRead,
  scimSchemasList,
  scimSchemasRead,
  scimTypesList,
  scimTypesRead,
} from './scim/discovery.ts';
import { scimSearch, scimUsersList, scimUsersSearch } from './scim/lists.ts';
import {
  scimUsersChange,
  scimUsersCreate,
  scimUsersDelete,
  scimUsersRead,
  scimUsersReplace,
} from './scim/users.ts';
import { subscriptionHistory } from './subscription/history.ts';
import { subscriptionStatusGet, subscriptionUserStatus } from './subscription/reads.ts';
import { subscriptionStatusSet, subscriptionStatusSetV2 } from './subscription/set.ts';
import { usersTrackBulk } from './track/bulk.ts';
import { usersTrackSync } from './track/sync.ts';
import { usersTrack } from './track/track.ts';

/** In the order of the documents. */
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
  contentBlocksCreate,
  contentBlocksUpdate,
  contentBlocksList,
  contentBlocksInfo,
  contentBlocksDelete,
  preferenceCenterCreate,
  preferenceCenterList,
  preferenceCenterUpdate,
  preferenceCenterUpdateByPost,
  preferenceCenterGet,
  preferenceCenterUrl,
  messagesSend,
  scheduleCreate,
  scheduleUpdate,
  scheduleDelete,
  scheduledBroadcasts,
  scheduleGet,
  sendsGet,
  contentCardsGet,
  activityRegister,
  activityStart,
  activityUpdate,
  activityGet,
  integrationList,
  integrationCreate,
  integrationGet,
  integrationUpdate,
  integrationDelete,
  integrationSync,
  jobSyncStatus,
  jobRows,
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

export type OperationRow = (typeof table)[number];

export type OperationId = OperationRow['id'];
export type Operation = OperationOf<OperationId>;

/** The operations of a queue: what its worker has to have a line for. */
export type OperationsOf<Queue extends QueueFamily> = Extract<OperationRow, { queue: Queue }>['id'];

/** The lists in which an operation names people. */
export type ListsOf<Id extends OperationId> =
  Extract<OperationRow, { id: Id }> extends OperationOf<string, QueueFamily, infer List> ? List : never;

export const operations: readonly Operation[] = table;

const byId: ReadonlyMap<string, Operation> = new Map(operations.map((row) => [row.id, row]));

export function operationById(id: string): Operation | undefined {
  return byId.get(id);
}

/** For an id that is in the table. */
export function operationOf(id: string): Operation {
  const operation = operationById(id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
}
