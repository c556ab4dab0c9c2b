import type { AcceptedRequest } from '@roster/contract';

type Ids = readonly string[];

/** What happens before and after a process computes with suspects. */
export interface ComputingGuard {
  begins(ids: Ids): Promise<unknown>;
  ended(ids: Ids): Promise<unknown>;
}

/**
 * Computing with requests, as opposed to waiting for a server about them: a process that ends meanwhile has probably been ended by one of them.
 * Without suspects it costs nothing.
 */
export const createComputing = () => {
  const guards = new Map<string, ComputingGuard>();

  return {
    /** Returns what ends it. */
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
