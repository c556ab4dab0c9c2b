// The interface without the bounds on what patterns and emails cost, which it reads on its event loop.
import { liftLimits, startMessaging } from '@roster/messaging-service';
import { run } from '@roster/runtime';

liftLimits();
await run('messaging', startMessaging);
