/** Security events on their way into the audit log: the ingress, which knows no MongoDB, leaves them in Redis. */
import { present } from '@roster/contract';
import { takeEvents } from '@roster/queue';
import type { CountedEvent, Log } from '@roster/runtime';
import type { AuditEntry, Store } from '@roster/store';
import type { Redis } from 'ioredis';
import { repeat } from './repeat.ts';

/** SCIM writes rows of its own, together with each change. */
const entryOf = (counted: CountedEvent): AuditEntry => {
  const { event, by = 'unknown', ws = '-', reason, op, count, first, last } = counted;
  const set = { count, until: new Date(last).toISOString(), ...present({ reason, op }) };
  return { at: first * 1000, by, what: event, target: ws, set };
};

export const keepInAudit = (store: Store, events: readonly CountedEvent[], note?: string): Promise<void> =>
  store.transact(async (session) => {
    if (note !== undefined && (await store.audit.known(session, [note])).size > 0) return;
    const [first, ...rest] = events.map(entryOf);
    if (first) await store.audit.append(session, { ...first, ...(note && { request: note }) }, ...rest);
  });

interface CollectingOptions {
  redis: Redis;
  openStore(): Promise<Store>;
  log: Log;
  everyMs?: number;
}

export const collectEvents = ({ redis, openStore, log, everyMs = 5_000 }: CollectingOptions) =>
  repeat({
    everyMs,
    work: () =>
      takeEvents(redis, async (name, events) =>
        keepInAudit(await openStore(), events as CountedEvent[], name),
      ),
    failed(err, wasWell) {
      if (wasWell) log.warn({ err }, 'moving security events to the audit log failed; they wait in Redis');
    },
  });
