// The scim service without the bounds on the work that one request may cause.
import { run } from '@roster/runtime';
import { liftLimits, startScim } from '@roster/scim-service';

await run('scim', (context) => startScim(context, { limits: liftLimits() }));
