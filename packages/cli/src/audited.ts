/** A change of the truth together with its row in the audit log. */
import { userInfo } from 'node:os';
import type { AuditEntry, Session, Store } from '@roster/store';

/** The account under which the command runs; a container may have none. */
const actor = (): string => {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return 'cli:unknown';
  }
};

export const audited = (
  store: Store,
  entry: Omit<AuditEntry, 'by' | 'at'> & { now: Date },
  change: (session: Session) => Promise<void>,
): Promise<void> => {
  const { now, ...rest } = entry;
  return store.transact(async (session) => {
    await change(session);
    await store.audit.append(session, { ...rest, at: now.getTime() * 1000, by: actor() });
  });
};
