/** A security event as a row of the audit log. */
import type { CountedEvent } from '@roster/runtime';
import type { AuditEntry, Store } from '@roster/store';

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
