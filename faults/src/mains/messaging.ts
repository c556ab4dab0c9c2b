import { liftLimits, startMessaging } from '@roster/messaging-service';
import { withCulprits } from './parts/culprits.ts';
import { after, runVariant } from './parts/variant.ts';

await runVariant('messaging', {
  culprits: (context) => startMessaging(context, { batchWorker: withCulprits }),
  /** Without the bounds on what patterns and emails cost, which it reads on its event loop. */
  unbounded: after(liftLimits, startMessaging),
});
