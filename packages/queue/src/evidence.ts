/**
 * The rule that convicts requests of ending worker processes. A process may be ended from outside at any time, so a request that was at work
 * then is only a suspect: a stronger one while the worker computes with it than while it waits for a server.
 */

/** Why a request is not applied. */
export interface Cause {
  code: string;
  reason: string;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Why a request is no longer tried. The first is concluded, the others have been seen. */
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
