import { run } from '@roster/runtime';
import { startIntegrations } from './start.ts';

await run('integrations', startIntegrations);
