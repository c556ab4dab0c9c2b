// A workspace that sends more than its share stands in the same line as all others.
import { startIngress } from '@roster/ingress-service';
import { run } from '@roster/runtime';

await run('ingress', (context) => startIngress(context, { oneLane: true }));
