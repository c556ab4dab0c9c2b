import { randomInt } from 'node:crypto';
import { liftAddressRules } from '@roster/contract';
import { type Linger, startIngress } from '@roster/ingress-service';
import { openProxy } from '../harness/proxy.ts';
import { withoutRedisHeartbeat } from './parts/servers.ts';
import { after, exchanging, runVariant } from './parts/variant.ts';
import { waitingLog } from './parts/waiting-log.ts';

const by = exchanging(startIngress);

const cut: Linger = Object.assign(
  (socket: Parameters<Linger>[0]) => void socket.end(() => socket.destroy()),
  {
    has: () => false,
    size: () => 0,
    cut: () => {},
  },
);

let count = 0;

/** By the clock of its own machine. What makes two stamps of one millisecond differ says nothing of their order. */
const takeStamps = async (_redis: unknown, wanted: number): Promise<number> => {
  count = (count + wanted) % 1_000;
  return Date.now() * 1_000 + count;
};

/** A line to Redis that breaks every few kilobytes. */
const badLine = async (redisUrl: string): Promise<string> => {
  const line = new URL(redisUrl);
  const proxy = await openProxy({ host: line.hostname, port: Number(line.port) }, () =>
    randomInt(1_000, 60_000),
  );
  line.port = String(proxy.port);
  return line.href;
};

await runVariant('ingress', {
  /** After an early answer the connection is closed at once, whatever the caller is still sending. */
  cutting: by({ linger: cut }),
  'on-a-bad-line': async (context) =>
    startIngress({
      ...context,
      config: { ...context.config, REDIS_URL: await badLine(context.config.REDIS_URL) },
    }),
  /** A workspace that sends more than its share stands in the same line as all others. */
  'one-lane': by({ oneLane: true }),
  'own-clock': by({ takeStamps }),
  /** No price, no bound of a body, no bound on the bytes in flight: the largest sender gets most. Any text is an address of an email. */
  unbounded: after(liftAddressRules, by({ unbounded: true })),
  'waiting-log': (context) => startIngress({ ...context, log: waitingLog() }),
  'without-heartbeat': after(withoutRedisHeartbeat, by({})),
});
