// Whatever is being sent of a live activity is taken once more.
import { startMessaging } from '@roster/messaging-service';
import { run } from '@roster/runtime';

await run('messaging', (context) => startMessaging(context, { sending: { busyMs: 0 } }));
