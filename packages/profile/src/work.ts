/**
 * The work of steps: the bytes of the values that they change and measure, and the members that they visit. A step that changes a large value is
 * much work, however small the step is; so there is a bound for each step, and one for all steps of a request.
 */

/** The work of visiting one member or element, in bytes. */
export const memberWork = 16;

/** The bound of one step. Replayed steps keep to it too, and have the same result. */
export const mostStepWork = 2 * 1024 * 1024;

/** The bound of all steps of a request: about a tenth of a second. */
const mostWork = 3 * 1024 * 1024;

/** The work left for a request. Each step takes from it. */
export interface Work {
  left: number;
}

export const newWork = (): Work => ({ left: mostWork });
