import { run } from '@roster/runtime';
import { startScim } from '@roster/scim-service';
import { withCulprits } from './parts/culprits.ts';

await run('scim', (context) => startScim(context, { batchWorker: withCulprits }));
