// The export service without the bounds on the work that one request may cause.
import { startExport } from '@roster/export-service';
import { run } from '@roster/runtime';

await run('export', (context) => startExport(context));
