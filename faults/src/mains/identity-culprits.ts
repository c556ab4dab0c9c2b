import { withCulprits } from './parts/culprits.ts';
import { identity } from './parts/identity.ts';

await identity({ batchWorker: withCulprits });
