/** The next step for suspects, by the evidence against them. */
import { type Cause, causes, type Evidence } from './evidence.ts';

/** Points for a request that was at work when its process ended: which computed with it, or waited for a server. */
export const points = { computing: 10, waiting: 1 } as const;

/** Three ends while it computed; those after the first of them alone. */
const convictedAt = 3 * points.computing;

/** So many without any evidence are tried together: one process that ends leaves so many suspects. */
export const mostTogether = 32;

/** The next step: try some requests together, or turn one into a dead letter. Numbers are places in the list. */
export type Step = { kind: 'try'; places: number[] } | { kind: 'dead'; place: number; cause: Cause };

const stepAlone = (place: number, evidence: number | Cause): Step => {
  if (typeof evidence !== 'number') return { kind: 'dead', place, cause: evidence };
  return evidence >= convictedAt
    ? { kind: 'dead', place, cause: causes.crash() }
    : { kind: 'try', places: [place] };
};

/** The steps keep the order of the list. A request with evidence against it is tried alone. */
export const stepsFor = (evidence: readonly Evidence[]): Step[] => {
  const steps: Step[] = [];
  let together: number[] | undefined;
  for (const [place, found] of evidence.entries()) {
    if (found !== undefined) {
      steps.push(stepAlone(place, found));
      together = undefined;
    } else if (together && together.length < mostTogether) {
      together.push(place);
    } else {
      together = [place];
      steps.push({ kind: 'try', places: together });
    }
  }
  return steps;
};
