// The subscription service without the bounds on the work that one request may cause.

import { run } from '@roster/runtime';
import { startSubscription } from '@roster/subscription-service';

await run('subscription', (context) => startSubscription(context));
