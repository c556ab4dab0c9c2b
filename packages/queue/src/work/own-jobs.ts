/**
 * Which jobs are in a batch as a whole. The rest of a divided job is unfinished elsewhere: in the other lane of this process, or in the other
 * half of a failed batch.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { Group } from '../group.ts';
import { stampInId } from '../request-id.ts';

/** The oldest stamps of these jobs: the fence knows jobs by them. */
export type OwnJobs = () => ReadonlySet<number>;

export const createOwnJobs = () => {
  const inHand = new Set<Group>();
  return {
    hold: (group: Group): void => void inHand.add(group),
    letGo: (group: Group): void => void inHand.delete(group),

    /** Computed on demand. */
    ownIn:
      (batch: readonly AcceptedRequest[]): OwnJobs =>
      () => {
        const ids = new Set(batch.map(({ id }) => id));
        const whole = [...inHand].filter(({ requests }) => requests.every(([id]) => ids.has(id)));
        return new Set(whole.map(({ requests }) => Math.min(...requests.map(([id]) => stampInId(id)))));
      },
  };
};
