// The sending without a bound on what a message or an audience costs, and without a price.
import { freeScans, liftLimits, startSender } from '@roster/messaging-service';
import { run } from '@roster/runtime';

liftLimits();
await run('sender', (context) => startSender(context, { scanBudget: freeScans }));
