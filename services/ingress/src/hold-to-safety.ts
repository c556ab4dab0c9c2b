import { setTimeout as sleep } from 'node:timers/promises';
import { assertSafe, type Producer } from '@roster/queue';
import type { Log } from '@roster/runtime';

const whenReady = async ({ redis }: Producer, ms: number): Promise<boolean> => {
  for (const until = Date.now() + ms; redis.status !== 'ready' && Date.now() < until; ) await sleep(20);
  return redis.status === 'ready';
};

/** Checked now when Redis is there, else as soon as it comes: the ingress may start before it. */
export const holdToSafety = async (producer: Producer, allowUnsafe: boolean, log: Log): Promise<void> => {
  const check = async (): Promise<void> => {
    for (const finding of await assertSafe(producer.redis, allowUnsafe))
      log.warn({ reason: finding }, 'Redis can lose accepted requests');
  };
  if (await whenReady(producer, 3000)) return check();
  log.warn('Redis is unreachable; every request gets 503 until it is back');
  producer.redis.once('ready', () => {
    check().catch((err) => {
      log.fatal({ err }, 'Redis can lose accepted requests; the process ends');
      process.exit(1);
    });
  });
};
