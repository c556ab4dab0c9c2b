// After an early answer the connection is closed at once, whatever the caller is still sending.
import { type Linger, startIngress } from '@roster/ingress-service';
import { run } from '@roster/runtime';

const cut: Linger = Object.assign(
  (socket: Parameters<Linger>[0]) => void socket.end(() => socket.destroy()),
  {
    has: () => false,
    size: () => 0,
    cut: () => {},
  },
);

await run('ingress', (context) => startIngress(context, { linger: cut }));
