// Whatever is being sent of a live activity is taken once more, and sent however late.
import { startSender } from '@roster/messaging-service';
import { run } from '@roster/runtime';

await run('sender', (context) =>
  startSender(context, { activities: { busyMs: 0, beginsWithinMs: Number.POSITIVE_INFINITY } }),
);
