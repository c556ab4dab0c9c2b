/**
 * The audit log: one row for each change by or of people who run Roster, never changed, never removed. Each row carries the hash of the
 * row before, and its number is its `_id`: two transactions that append at once collide there, so there is one chain.
 */

import { type AuditRow, type AuditVerdict, rowOf, rowsAfter, verify } from './audit-chain.ts';
import type { Collection, Session } from './db.ts';
import type { AuditDocument, AuditEntry } from './documents.ts';

export const createAudit = (audit: Collection<AuditDocument>) => ({
  /** In the transaction of the change itself: both happen, or neither. */
  async append(session: Session, ...entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const last = await audit.findOne({}, { session, sort: { _id: -1 } });
    await audit.insertMany(rowsAfter(last, entries), { session });
  },

  /** Whether the change of a request stands in the log already: a redelivered job must not repeat it. */
  async has(session: Session, request: string): Promise<boolean> {
    return (await audit.findOne({ request }, { session, projection: { _id: 1 } })) !== null;
  },

  /** The requests among these with a row in the log. */
  async known(session: Session, requests: readonly string[]): Promise<Set<string>> {
    const filter = { request: { $in: [...requests] } };
    const found = await audit.find(filter, { session, projection: { request: 1 } }).toArray();
    return new Set(found.flatMap(({ request }) => request ?? []));
  },

  /** Whether the log has a row of this kind. */
  async tellsOf(what: string): Promise<boolean> {
    return (await audit.findOne({ what }, { projection: { _id: 1 } })) !== null;
  },

  /** The latest rows, the latest last. */
  async list({ limit = 100, target }: { limit?: number; target?: string } = {}): Promise<AuditRow[]> {
    const found = await audit
      .find(target === undefined ? {} : { target })
      .sort({ _id: -1 })
      .limit(limit)
      .toArray();
    return found.reverse().map(rowOf);
  },

  /** Reads the whole chain and reports its first break. Keep the head in another place too: cutting off the end leaves no other trace. */
  verify: (): Promise<AuditVerdict> => verify(audit),
});
