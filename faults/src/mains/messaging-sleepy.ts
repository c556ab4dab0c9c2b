// Looks for what is due every two minutes, instead of four times in a second.
import { startMessaging } from '@roster/messaging-service';
import { run } from '@roster/runtime';

const sending = { lostAfterMs: 5_000, lookEveryMs: 120_000 };

await run('messaging', (context) => startMessaging(context, { sending }));
