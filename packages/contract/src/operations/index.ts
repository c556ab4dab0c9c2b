/** The table: everything the interface can do. */
import type { OperationOf } from '../operation.ts';
import { requestsRead } from './requests.ts';
import { scimOperations } from './scim/index.ts';
import { usersExportIds, usersTrack } from './users.ts';

const table = [usersTrack, usersExportIds, requestsRead, ...scimOperations] as const;

export type OperationId = (typeof table)[number]['id'];
export type Operation = OperationOf<OperationId>;

export const operations: readonly Operation[] = table;

const byId: ReadonlyMap<string, Operation> = new Map(operations.map((row) => [row.id, row]));

export function operationById(id: string): Operation | undefined {
  return byId.get(id);
}
