import { run } from '@roster/runtime';
import { startMessaging } from './start.ts';

await run('messaging', startMessaging);
