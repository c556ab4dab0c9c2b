/**
 * Whether a change may still be made. After a process hung or a job was repeated, the caller has got a 503 or its answer, and may have sent
 * another change since. Checked in the transaction of the change, at each try.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { DashboardUserDocument as User } from '@roster/store';
import type { CallContext } from '../handler.ts';
import { tooLate } from '../refusals.ts';

type Clock = Pick<CallContext, 'now' | 'callerWaitsMs'>;

/**
 * Concurrent changes may overtake each other: their callers wait, and any order is right. A transaction is retried for at most so long; a
 * job comes again much later after its worker died.
 */
const raceMs = 5_000;

const ageMs = ({ at }: AcceptedRequest, { now }: Clock): number => now() - at / 1000;

/** By then the ingress has answered 503. */
export const isAwaited = (request: AcceptedRequest, clock: Clock): boolean =>
  ageMs(request, clock) <= clock.callerWaitsMs;

/** What changes nothing is said as well: a change from before it must not follow it. */
export const lastSaid = ({ changed, said = 0 }: User): number => Math.max(changed, said);

export const assertInTime = (request: AcceptedRequest, asked: CallContext, user?: User): void => {
  const isOvertaken = user !== undefined && lastSaid(user) > request.at && ageMs(request, asked) > raceMs;
  if (isOvertaken || !isAwaited(request, asked)) throw tooLate();
};
