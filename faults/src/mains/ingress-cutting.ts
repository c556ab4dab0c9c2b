// After an early answer the connection is closed at once, whatever the caller is still sending.
import { startIngress } from '@roster/ingress-service';
import { run } from '@roster/runtime';

await run('ingress', (context) => startIngress(context, { cutEarly: true }));
