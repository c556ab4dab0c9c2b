// Looks for what is due every two minutes, instead of four times in a second.
import { startSender } from '@roster/messaging-service';
import { run } from '@roster/runtime';

const instead = { lostAfterMs: 5_000, lookEveryMs: 120_000 };

await run('sender', (context) => startSender(context, instead));
