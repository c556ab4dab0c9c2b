import { startExport } from '@roster/export-service';
import { run } from '@roster/runtime';
import { withCulprits } from './parts/culprits.ts';

await run('export', (context) => startExport(context, { batchWorker: withCulprits }));
