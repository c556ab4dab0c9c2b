/** A change of the truth (MongoDB) together with its row in the audit log, and its publication in the serving copy (Redis). */
import { hostname, userInfo } from 'node:os';
import type { Deed } from '@roster/integrations';
import type { AuditEntry, Session, Store } from '@roster/store';
import type { Redis } from 'ioredis';
import { failed, messageOf } from './result.ts';
import type { Servers } from './servers.ts';

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

/** What was done to an integration, with its workspace and this machine: in the transaction that does it. */
export const recordIntegration = async (
  store: Store,
  { now, ...change }: { ws: string; deed: Deed; integration: string; now: Date },
  session: Session,
): Promise<void> => {
  const { recordChange } = await import('@roster/integrations');
  await recordChange(store, { ...change, at: now.getTime() * 1000, by: actor(), from: hostname() }, session);
};

/** After a change of the truth; explains the state when only the first was done. */
export const publish = async (
  servers: Servers,
  what: string,
  write: (redis: Redis) => Promise<void>,
): Promise<void> => {
  try {
    await write(await servers.redis());
  } catch (error) {
    throw failed(
      `${what} in MongoDB, but Redis has not heard of it: ${messageOf(error)}\nThe monitor tells it within half a minute of its return; "roster access publish" does so at once.`,
    );
  }
};
