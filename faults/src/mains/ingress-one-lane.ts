// Whoever sends more than its share stands in the same line as everybody else.
import { startIngress } from '@roster/ingress-service';
import { run } from '@roster/runtime';

await run('ingress', (context) => startIngress(context, { oneLane: true }));
