/** The table: everything the interface can do. */
import type { OperationOf, QueueFamily } from '../operation.ts';
import { contentBlockOperations } from './content-blocks/index.ts';
import { usersExportIds } from './export/ids.ts';
import { requestsRead } from './export/requests.ts';
import { identityOperations } from './identity/index.ts';
import { integrationOperations } from './integrations/index.ts';
import { liveActivityOperations } from './live-activities/index.ts';
import { messageOperations } from './messages/index.ts';
import { preferenceCenterOperations } from './preference-centers/index.ts';
import { scimOperations } from './scim/index.ts';
import { subscriptionOperations } from './subscription/index.ts';
import { trackOperations } from './track/index.ts';

const table = [
  ...trackOperations,
  ...identityOperations,
  usersExportIds,
  ...subscriptionOperations,
  requestsRead,
  ...contentBlockOperations,
  ...preferenceCenterOperations,
  ...messageOperations,
  ...liveActivityOperations,
  ...integrationOperations,
  ...scimOperations,
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
