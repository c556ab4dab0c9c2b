// No price, no limit of what a body may hold, no bound on the bytes in flight: whoever sends most gets most.
import { startIngress } from '@roster/ingress-service';
import { run } from '@roster/runtime';

await run('ingress', (context) => startIngress(context, { unbounded: true }));
