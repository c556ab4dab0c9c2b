import type { OperationsOf } from '@roster/contract';
import type { ExportHandler } from './handler.ts';
import { requestsRead } from './requests-read.ts';
import { subscriptionHistory } from './subscription-history.ts';
import { subscriptionStatusGet } from './subscription-status-get.ts';
import { subscriptionUserStatus } from './subscription-user-status.ts';
import { usersExportIds } from './users-export-ids.ts';

/** `fresh`: after the writes accepted before it. `large`: so too, and only a few at a time. `outcome`: at once, of one request. */
export type Way = 'fresh' | 'large' | 'outcome';

/** What this worker does with each operation of its queue. An operation without a line does not compile. */
export const handlers: Readonly<Record<OperationsOf<'export'>, { way: Way; answer: ExportHandler }>> = {
  'users.export.ids': { way: 'large', answer: usersExportIds },
  'requests.read': { way: 'outcome', answer: requestsRead },
  'subscription.status.get': { way: 'fresh', answer: subscriptionStatusGet },
  'subscription.user.status': { way: 'fresh', answer: subscriptionUserStatus },
  'subscription.history': { way: 'fresh', answer: subscriptionHistory },
};
