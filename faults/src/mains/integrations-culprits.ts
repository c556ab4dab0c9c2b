import { startIntegrations } from '@roster/integrations-service';
import { run } from '@roster/runtime';
import { withCulprits } from './parts/culprits.ts';

await run('integrations', (context) => startIntegrations(context, { batchWorker: withCulprits }));
