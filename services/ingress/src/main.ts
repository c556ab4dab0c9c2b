import { run } from '@roster/runtime';
import { startIngress } from './start.ts';

await run('ingress', startIngress);
