/**
 * The work of steps: bytes of the values that they change and measure, and members that they go through. A step that changes a value is as
 * much work as the value is large, however small the step is; so there is a bound for each step, and one for all steps of a request.
 */

/** Going through one member or element counts as so many bytes. */
export const memberWork = 16;

/** Of one step. Replayed steps keep to it too, and come to the same result. */
export const mostStepWork = 2 * 1024 * 1024;

/** Of all steps of a request: about a tenth of a second. */
const mostWork = 3 * 1024 * 1024;

/** What is left for a request. Whoever works takes from it. */
export interface Work {
  left: number;
}

export const newWork = (): Work => ({ left: mostWork });
