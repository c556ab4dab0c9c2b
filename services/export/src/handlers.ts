import type { OperationId } from '@roster/contract';
import type { Handler } from './handler.ts';
import { requestsRead } from './requests-read.ts';
import { usersExportIds } from './users-export-ids.ts';

/** An operation without a handler does not compile. */
export const handlers = {
  'users.export.ids': usersExportIds,
  'requests.read': requestsRead,
} satisfies Record<Exclude<OperationId, 'users.track' | `scim.${string}`>, Handler>;
