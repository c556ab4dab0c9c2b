/** Before anybody is sent to, what was accepted before the delivery fell due is applied: an unsubscription may be among it. What is accepted later holds up nobody. */
import type { DeliveryDocument } from '@roster/store';

export interface Fence {
  /** The stamp of now. */
  stamp(): Promise<number>;
  /** Whether everything of the workspace that was accepted before the stamp is applied, or is so within this time. */
  passed(stamp: number, ws: string, withinMs: number): Promise<boolean>;
}

/** As long as a read of the interface waits. */
const mostMs = 1000;

const stamped = async (taken: readonly DeliveryDocument[], fence: Fence): Promise<DeliveryDocument[]> => {
  if (taken.every((one) => one.fence !== undefined)) return [...taken];
  const now = await fence.stamp();
  return taken.map((one) => ({ ...one, fence: one.fence ?? now }));
};

/** Those with a later stamp hold up no other ones. What waits has the stamp that it waits for, if there is one. */
export const behindFence = async (taken: readonly DeliveryDocument[], ws: string, fence: Fence) => {
  try {
    const all = await stamped(taken, fence);
    const stamps = [...new Set(all.map((one) => one.fence ?? 0))].toSorted((a, b) => a - b);
    let reached = -1;
    for (const stamp of stamps) {
      if (!(await fence.passed(stamp, ws, reached < 0 ? mostMs : 0))) break;
      reached = stamp;
    }
    const hasPassed = (one: DeliveryDocument): boolean => (one.fence ?? 0) <= reached;
    return {
      passed: all.filter(hasPassed),
      waiting: all.filter((one) => !hasPassed(one)),
      why: 'fence' as const,
    };
  } catch {
    // Redis is away, or this process is too late to hear its answers.
    return { passed: [], waiting: [...taken], why: 'redis' as const };
  }
};
