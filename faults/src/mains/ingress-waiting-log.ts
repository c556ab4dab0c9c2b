// The ingress waits for its log.
import { startIngress } from '@roster/ingress-service';
import { run } from '@roster/runtime';
import { waitingLog } from './parts/waiting-log.ts';

await run('ingress', (context) => startIngress({ ...context, log: waitingLog() }));
