import type { AcceptedRequest } from '@roster/contract';

type Ids = readonly string[];

/** The steps before and after a process computes with suspects. */
export interface ComputingGuard {
  begins(ids: Ids): Promise<unknown>;
  ended(ids: Ids): Promise<unknown>;
}

/**
 * Marks the time in which the process computes with requests, instead of waiting for a server: if the process ends in that time, a request has
 * probably ended it. Costs nothing without suspects.
 */
export const createComputing = () => {
  const guards = new Map<string, ComputingGuard>();

  return {
    /** Returns a function that ends the mark. */
    guard(ids: Ids, guard: ComputingGuard): () => void {
      for (const id of ids) guards.set(id, guard);
      return () => {
        for (const id of ids) guards.delete(id);
      };
    },

    /** The suspects of a turn have one guard. */
    async on<T>(requests: readonly Pick<AcceptedRequest, 'id'>[], work: () => T | Promise<T>): Promise<T> {
      if (guards.size === 0) return work();
      const ids = requests.map(({ id }) => id).filter((id) => guards.has(id));
      const guard = guards.get(ids[0] ?? '');
      if (!guard) return work();
      await guard.begins(ids);
      try {
        return await work();
      } finally {
        await guard.ended(ids);
      }
    },
  };
};

export type Computing = ReturnType<typeof createComputing>;
