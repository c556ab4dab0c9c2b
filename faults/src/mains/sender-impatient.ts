// What a killed process was sending is given up after seconds instead of a minute, so that a trial need not wait for it.
import { startSender } from '@roster/messaging-service';
import { run } from '@roster/runtime';

await run('sender', (context) => startSender(context, { lostAfterMs: 5_000, activities: { busyMs: 5_000 } }));
