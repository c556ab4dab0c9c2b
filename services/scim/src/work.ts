/** The work of one request: counted in steps, refused past its limit, and cut into slices. */
import type { Breath } from '@roster/store';
import { isResource, type ScimValue } from './attributes/attribute.ts';
import type { ScimLimits } from './limits.ts';
import { tooMuchWork } from './refusals.ts';

export const createWork = ({ steps }: Pick<ScimLimits, 'steps'>, breathe: Breath) => {
  let left = steps;
  return {
    /** Throws when the request has cost too much. */
    spend(some: number): void {
      left -= some;
      if (left < 0) throw tooMuchWork();
    },
    /** Lets the others on when this slice of time is over. */
    breathe,
  };
};

export type ScimWork = ReturnType<typeof createWork>;

/** Steps, measured: of what is done with each part of a value, by its weight; and of one comparison with one element of a list. */
export const stepsOf = { show: 0.6, compare: 0.1, match: 0.5, test: 1.2 } as const;

/** How large a value is: one for each part of it, and more for long texts. */
export const weightOf = (value: ScimValue | undefined): number => {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + weightOf(item), 1);
  if (!isResource(value)) return 1;
  let sum = 1;
  for (const name in value) sum += weightOf(value[name]);
  return sum;
};
