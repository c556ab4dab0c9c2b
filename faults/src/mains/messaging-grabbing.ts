// Whatever is being sent of a live activity is taken once more, and sent however late.
import { startMessaging } from '@roster/messaging-service';
import { run } from '@roster/runtime';

await run('messaging', (context) =>
  startMessaging(context, {
    sending: { activities: { busyMs: 0, beginsWithinMs: Number.POSITIVE_INFINITY } },
  }),
);
