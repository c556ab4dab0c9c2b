/** Security events on their way into the audit log: the ingress, which knows no MongoDB, leaves them in Redis. */
import { takeEvents } from '@roster/queue';
import type { CountedEvent, Log } from '@roster/runtime';
import type { AuditEntry, Store } from '@roster/store';
import type { Redis } from 'ioredis';

/** SCIM writes rows of its own, together with each change. */
const entryOf = ({
  event,
  by = 'unknown',
  ws,
  reason,
  op,
  count,
  first,
  last,
}: CountedEvent): AuditEntry => ({
  at: first * 1000,
  by,
  what: event,
  target: ws ?? '-',
  set: { count, until: new Date(last).toISOString(), ...(reason && { reason }), ...(op && { op }) },
});

export const keepInAudit = (store: Store, events: readonly CountedEvent[], note?: string): Promise<void> =>
  store.transact(async (session) => {
    if (note !== undefined && (await store.audit.known(session, [note])).size > 0) return;
    const [first, ...rest] = events.map(entryOf);
    if (first) await store.audit.append(session, { ...first, ...(note && { request: note }) }, ...rest);
  });

export interface Collecting {
  /** Takes what is there now. */
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
      if (well) log.warn({ err }, 'moving security events to the audit log failed; they wait in Redis');
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
