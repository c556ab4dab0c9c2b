/**
 * Finds the request that ends worker processes. A process may be killed from outside at any time, so a request that was at work then is only a
 * suspect. The evidence is stronger if the worker was computing with the request than if it was waiting for a server.
 */

/** Why a request is not applied. */
export interface Cause {
  code: string;
  reason: string;
}

/** Points for a request whose process ended: while it computed with the request, or while it waited for a server. */
export const points = { computing: 10, waiting: 1 } as const;

/** Three ends while it computed; after the first one the request is tried alone. */
const convictedAt = 3 * points.computing;

/** The number of requests without evidence that are tried together: a process that ends makes so many suspects. */
export const mostTogether = 32;

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Why a request is no longer tried. The first is inferred from points; the others were observed. */
export const causes = {
  crash: (): Cause => ({ code: 'crash', reason: 'the worker process ended each time this request ran' }),
  blocked: (ms: number): Cause => ({
    code: 'blocked',
    reason: `the worker's event loop was blocked for ${seconds(ms)}`,
  }),
  outOfMemory: (bytes: number): Cause => ({
    code: 'out_of_memory',
    reason: `the worker ran out of memory (${megabytes(bytes)})`,
  }),
  exit: (): Cause => ({
    code: 'exit',
    reason: 'the worker process exited while only this request was at work',
  }),
};

/** The evidence against a request in Redis: points, or a cause that is proof by itself. Without any it is undefined. */
export type Evidence = number | Cause | undefined;

export const writeCause = ({ code, reason }: Cause): string => `${code}: ${reason}`;

export const readEvidence = (stored: string | null | undefined): Evidence => {
  if (!stored) return undefined;
  const [, code, reason] = /^([a-z_]+): (.*)$/s.exec(stored) ?? [];
  return code && reason ? { code, reason } : Number(stored);
};

/** The next step: try some requests together, or turn one into a dead letter. Numbers are places in the list. */
export type NextStep = { kind: 'try'; places: number[] } | { kind: 'dead'; place: number; cause: Cause };

const stepAlone = (place: number, evidence: number | Cause): NextStep => {
  if (typeof evidence !== 'number') return { kind: 'dead', place, cause: evidence };
  return evidence >= convictedAt
    ? { kind: 'dead', place, cause: causes.crash() }
    : { kind: 'try', places: [place] };
};

/** The steps keep the order of the list. A request with evidence against it is tried alone. */
export const stepsFor = (evidence: readonly Evidence[]): NextStep[] => {
  const steps: NextStep[] = [];
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
