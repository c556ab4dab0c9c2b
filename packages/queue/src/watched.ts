/** Settles requests under watch: a crash leaves evidence. */
import type { AcceptedRequest } from '@roster/contract';
import type { Redis } from 'ioredis';
import type { Computing } from './computing.ts';
import type { Cause } from './evidence.ts';
import type { createSuspects } from './suspects.ts';
import type { Watch } from './watch.ts';

export interface RecoveryOptions<Done> {
  redis: Redis;
  watch: Watch;
  settle(requests: AcceptedRequest[]): Promise<Done[]>;
  dead(request: AcceptedRequest, cause: Cause): Promise<Done>;
  /** Told by the worker when it computes. Without it, a worker computes in the first moments of its work. */
  computing?: Computing | undefined;
}

type Suspects = ReturnType<typeof createSuspects>;

type Run<Done> = (some: AcceptedRequest[], ids: string[]) => Promise<Done[]>;

const firstMomentsMs = 500;

/** Returns the function that ends it. */
const inFirstMoments = async (suspects: Suspects, ids: readonly string[]): Promise<() => Promise<void>> => {
  await suspects.accuse(ids);
  let relieving: Promise<void> | undefined;
  const timer = setTimeout(() => {
    relieving = suspects.relieve(ids).catch(() => {});
  }, firstMomentsMs);
  return async () => {
    clearTimeout(timer);
    await relieving;
  };
};

/** Settles requests while a crash would leave evidence, which weighs more while the worker computes with them. */
export const createWatched =
  <Done>(
    { watch, settle, computing }: RecoveryOptions<Done>,
    { key, suspects }: { key: string; suspects: Suspects },
  ): Run<Done> =>
  async (some, ids) => {
    const [only] = ids;
    await watch.hold(only && ids.length === 1 ? { key, id: only } : { key });
    let over: () => void | Promise<void> = () => {};
    try {
      over = computing
        ? computing.guard(ids, {
            begins: suspects.accuse,
            ended: async (some) => suspects.relieve(some).catch(() => {}),
          })
        : await inFirstMoments(suspects, ids);
      return await settle(some);
    } finally {
      watch.letGo();
      await over();
    }
  };
