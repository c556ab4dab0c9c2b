/**
 * Whether a change may still be made. A process hangs, a job comes again: its caller has been told 503, or has its answer, and has said
 * something else since. Asked in the transaction of the change, at each try of it.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { DashboardUserDocument } from '@roster/store';
import type { Asked } from '../handler.ts';
import { tooLate } from '../refusals.ts';

type User = DashboardUserDocument;
type Clock = Pick<Asked, 'now' | 'callerWaitsMs'>;

/**
 * Those that are sent at once may overtake each other: their callers wait, and any order is right. For so long a transaction makes way for
 * others; a job whose worker has died comes again much later.
 */
const raceMs = 5_000;

const ageMs = ({ at }: AcceptedRequest, { now }: Clock): number => now() - at / 1000;

/** By then the ingress has answered 503. */
export const isAwaited = (request: AcceptedRequest, clock: Clock): boolean =>
  ageMs(request, clock) <= clock.callerWaitsMs;

/** What changes nothing is said as well: a change from before it must not follow it. */
export const lastSaid = ({ changed, said = 0 }: User): number => Math.max(changed, said);

export const assertInTime = (request: AcceptedRequest, asked: Asked, user?: User): void => {
  const isOvertaken = user !== undefined && lastSaid(user) > request.at && ageMs(request, asked) > raceMs;
  if (isOvertaken || !isAwaited(request, asked)) throw tooLate();
};
