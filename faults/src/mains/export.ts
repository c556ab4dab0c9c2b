import { startExport } from '@roster/export-service';
import { withCulprits } from './parts/culprits.ts';
import { runVariant } from './parts/variant.ts';

await runVariant('export', {
  culprits: (context) => startExport(context, { batchWorker: withCulprits }),
});
