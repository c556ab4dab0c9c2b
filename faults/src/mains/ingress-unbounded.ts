// No price, no bound of a body, no bound on the bytes in flight: the largest sender gets most.
import { startIngress } from '@roster/ingress-service';
import { run } from '@roster/runtime';

await run('ingress', (context) => startIngress(context, { unbounded: true }));
