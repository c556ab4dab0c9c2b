import { startMessaging } from '@roster/messaging-service';
import { run } from '@roster/runtime';
import { withCulprits } from './parts/culprits.ts';

await run('messaging', (context) => startMessaging(context, { batchWorker: withCulprits }));
