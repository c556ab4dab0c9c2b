import { liftLimits, startScim } from '@roster/scim-service';
import { withCulprits } from './parts/culprits.ts';
import { after, runVariant } from './parts/variant.ts';

await runVariant('scim', {
  culprits: (context) => startScim(context, { batchWorker: withCulprits }),
  /** Without the bounds on the work that one request may cause. */
  unbounded: after(liftLimits, startScim),
});
