// Stamps requests by the clock of its own machine. What makes two stamps of one millisecond differ says nothing of their order.
import { startIngress } from '@roster/ingress-service';
import { run } from '@roster/runtime';

let count = 0;
const takeStamps = async (_redis: unknown, wanted: number): Promise<number> => {
  count = (count + wanted) % 1_000;
  return Date.now() * 1_000 + count;
};

await run('ingress', (context) => startIngress(context, { takeStamps }));
