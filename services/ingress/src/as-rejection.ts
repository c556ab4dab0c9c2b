import { isRejection, Rejection, rejectionWithRetry } from '@roster/contract';
import { Unavailable } from '@roster/queue';
import { NoRoom } from './budget.ts';

/** Every way in which a request can fail becomes a rejection of the catalogue; any other error is a bug of ours. */
export const asRejection = (error: unknown): Rejection => {
  if (isRejection(error)) return error;
  if (error instanceof NoRoom) return rejectionWithRetry(error.own ? 'SHARE_IN_FLIGHT' : 'OVERLOADED', 2);
  if (error instanceof Unavailable) return rejectionWithRetry('UNAVAILABLE', 1);
  return new Rejection('INTERNAL');
};
