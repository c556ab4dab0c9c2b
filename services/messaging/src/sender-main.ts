import { run } from '@roster/runtime';
import { startSender } from './start-sender.ts';

await run('sender', startSender);
