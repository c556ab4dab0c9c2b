import type { OperationId } from '@roster/contract';
import type { Handler } from './handler.ts';
import { requestsRead } from './requests-read.ts';
import { subscriptionHistory } from './subscription-history.ts';
import { subscriptionStatusGet } from './subscription-status-get.ts';
import { subscriptionUserStatus } from './subscription-user-status.ts';
import { usersExportIds } from './users-export-ids.ts';

/** A test holds the operations of this queue to it. */
export const handlers = {
  'users.export.ids': usersExportIds,
  'requests.read': requestsRead,
  'subscription.status.get': subscriptionStatusGet,
  'subscription.user.status': subscriptionUserStatus,
  'subscription.history': subscriptionHistory,
} satisfies Partial<Record<OperationId, Handler>>;
