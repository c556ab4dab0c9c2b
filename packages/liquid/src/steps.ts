/** The work of one job, counted in steps. The count depends on the template and its values alone: each machine comes to the same verdict. */
import { LiquidFault } from './fault.ts';

/**
 * What is counted. A step is about a microsecond of a fast machine; what takes longer costs several steps.
 *
 * - `parts`: the source, whether it was parsed before or not
 * - `nodes`: tags, outputs and texts that are rendered
 * - `rounds`: rounds of loops, also of empty ones; branches and blocks that begin
 * - `operands`: operands and operators of conditions and outputs, values of `when`
 * - `names`: members of a path that are looked up
 * - `filters`: filters and their arguments
 * - `sizes`: characters and elements that are read, compared, filtered and made
 */
export type StepCounts = 'parts' | 'nodes' | 'rounds' | 'operands' | 'names' | 'filters' | 'sizes';

export interface StepOptions {
  /** The budget. */
  steps: number;
  /** For tests of the count. */
  uncounted?: readonly StepCounts[];
}

export const createSteps = ({ steps, uncounted = [] }: StepOptions) => {
  const free = uncounted.length > 0 ? new Set(uncounted) : undefined;
  let taken = 0;
  return {
    /** Throws a LiquidFault when there are more than allowed, and each time after that. */
    take(what: StepCounts, count: number): void {
      if (count > 0 && !free?.has(what)) taken += Math.floor(count);
      if (taken > steps) throw new LiquidFault({ kind: 'cost', reason: `it takes more than ${steps} steps` });
    },
    left: (): number => steps - taken,
    taken: (): number => taken,
  };
};

export type Steps = ReturnType<typeof createSteps>;
