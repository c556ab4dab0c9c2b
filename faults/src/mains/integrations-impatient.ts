// A job whose process died is taken over after seconds instead of twenty, so that a trial need not wait for it.
import { startIntegrations } from '@roster/integrations-service';
import { run } from '@roster/runtime';

const jobs = { leaseMs: 3_000, firstPauseMs: 200, mostTries: 100 };

await run('integrations', (context) => startIntegrations(context, { jobs }));
