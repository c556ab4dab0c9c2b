/** The replies of the export service. */
import { isRejection, Rejection, rejectionBody, rejectionWithRetry } from '@roster/contract';
import type { Reply } from '@roster/queue';

export const replyOf = (status: number, body: unknown, headers?: Record<string, string>): Reply => ({
  status,
  body: JSON.stringify(body),
  ...(headers && { headers }),
});

export const rejected = (rejection: Rejection): Reply =>
  replyOf(rejection.status, rejectionBody(rejection), rejection.headers);

export const gone = replyOf(503, { message: 'The caller does not wait for this answer any more' });
export const failed = rejected(new Rejection('INTERNAL'));

const ranOutOfTime = 50;

/** A read that took too long is not retried here: the caller may ask again, or for less. */
export const orRejected = (error: unknown): Reply => {
  if (isRejection(error)) return rejected(error);
  if ((error as { code?: unknown }).code === ranOutOfTime)
    return rejected(rejectionWithRetry('UNAVAILABLE', 5));
  throw error;
};
