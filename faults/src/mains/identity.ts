import { startIdentity, withoutFence, withoutSweeps, withoutTransaction } from '@roster/identity-service';
import { noLoadLimits } from '@roster/track-service';
import { withCulprits } from './parts/culprits.ts';
import { lateInOneOf } from './parts/late.ts';
import { shortLocks } from './parts/locks.ts';
import { exchanging, runVariant } from './parts/variant.ts';

const by = exchanging(startIdentity);

const strokeMs = 40;

/**
 * Read, then write, with nothing around it; and all workers begin at the same stroke of the clock, so that what can come in between
 * does, on a machine that is too slow for it to happen often enough by itself.
 */
const atOnce: typeof withoutTransaction = async (work) => {
  await new Promise((resolve) => setTimeout(resolve, strokeMs - (Date.now() % strokeMs)));
  return withoutTransaction(work);
};

await runVariant('identity', {
  culprits: by({ batchWorker: withCulprits }),
  impatient: by(shortLocks),
  /** So late that the caller is told that the request is queued, and goes on. */
  late: by({ ...shortLocks, batchWorker: lateInOneOf(1, 1_800) }),
  naive: by({ ...shortLocks, fence: withoutFence, transact: atOnce }),
  unbounded: by({ ...shortLocks, loadLimits: noLoadLimits }),
  'without-fence': by({ ...shortLocks, fence: withoutFence }),
  'without-sweeps': by({ sweeper: withoutSweeps }),
  'without-transaction': by({ ...shortLocks, transact: atOnce }),
});
