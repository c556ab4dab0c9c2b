/** Security events on their way into the audit log: the ingress, which knows no MongoDB, leaves them in Redis. */
import { takeEvents } from '@roster/queue';
import type { CountedEvent, Log } from '@roster/runtime';
import type { Store } from '@roster/store';
import type { Redis } from 'ioredis';
import { keepInAudit } from './audit-entry.ts';

export interface Collecting {
  /** Takes the waiting events now. */
  collect(): Promise<void>;
  stop(): Promise<void>;
}

interface CollectingOptions {
  redis: Redis;
  openStore(): Promise<Store>;
  log: Log;
  everyMs?: number;
}

export const collectEvents = ({ redis, openStore, log, everyMs = 5_000 }: CollectingOptions): Collecting => {
  let running: Promise<void> | undefined;
  let well = true;

  const take = async (): Promise<void> => {
    try {
      await takeEvents(redis, async (name, events) =>
        keepInAudit(await openStore(), events as CountedEvent[], name),
      );
      well = true;
    } catch (err) {
      // Once, not every five seconds for as long as a server is away.
      if (well) log.warn({ err }, 'security events wait in Redis');
      well = false;
    }
  };

  const collect = (): Promise<void> => {
    running ??= take().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(() => void collect(), everyMs);
  return {
    collect,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
};
