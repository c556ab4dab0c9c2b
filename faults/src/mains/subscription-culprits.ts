import { withCulprits } from './parts/culprits.ts';
import { subscription } from './parts/subscription.ts';

await subscription({ batchWorker: withCulprits });
