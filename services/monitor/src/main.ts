import { run } from '@roster/runtime';
import { startMonitor } from './start.ts';

await run('monitor', startMonitor);
