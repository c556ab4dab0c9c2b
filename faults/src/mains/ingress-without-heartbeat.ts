import './parts/without-heartbeat.ts';
import { startIngress } from '@roster/ingress-service';
import { run } from '@roster/runtime';

await run('ingress', startIngress);
