/** Work that is known only when it is done is charged to its workspace afterwards, and counted. */
import { work } from '@roster/contract';
import { createLateCharges, type LateCharges, type openConnection } from '@roster/queue';
import { type Context, measurePoints } from '@roster/runtime';
import { createLimitOf, type Store } from '@roster/store';

interface Charging {
  store: Pick<Store, 'workspaces'>;
  redis: ReturnType<typeof openConnection>;
  pointsOf(amount: number): number;
}

export const openCharges = (
  context: Pick<Context<unknown>, 'metrics'>,
  { store, redis, pointsOf }: Charging,
): LateCharges =>
  createLateCharges({
    redis,
    rateOf: createLimitOf(store.workspaces, work),
    pointsOf,
    onCharged: measurePoints(context),
  });
