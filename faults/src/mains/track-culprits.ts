import { withCulprits } from './parts/culprits.ts';
import { track } from './parts/track.ts';

await track({ batchWorker: withCulprits });
