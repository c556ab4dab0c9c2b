import { run } from '@roster/runtime';
import { startExport } from './start.ts';

await run('export', startExport);
