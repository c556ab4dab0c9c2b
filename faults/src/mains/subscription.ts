import { planSubscriptions } from '@roster/profile';
import { startSubscription } from '@roster/subscription-service';
import { noLoadLimits } from '@roster/track-service';
import { withCulprits } from './parts/culprits.ts';
import { shortLocks } from './parts/locks.ts';
import { exchanging, runVariant } from './parts/variant.ts';

const by = exchanging(startSubscription);

const nobody = new Int32Array(new SharedArrayBuffer(4));

/** Stays a while inside of each transaction: a kill then hits it in the middle. */
const plannedSlowly: typeof planSubscriptions = (input) => {
  Atomics.wait(nobody, 0, 0, 300);
  return planSubscriptions(input);
};

/** Counts from when it is applied, and in any order: here in the wrong one. */
const plannedUnstamped: typeof planSubscriptions = ({ requests, known }) =>
  planSubscriptions({
    requests: requests.toReversed().map((request, n) => ({ ...request, at: Date.now() * 1000 + n })),
    known,
  });

await runVariant('subscription', {
  culprits: by({ batchWorker: withCulprits }),
  impatient: by(shortLocks),
  slow: by({ ...shortLocks, planned: plannedSlowly }),
  /** No bound of what a transaction loads. */
  unbounded: by({ ...shortLocks, loadLimits: noLoadLimits }),
  unstamped: by({ ...shortLocks, planned: plannedUnstamped }),
});
