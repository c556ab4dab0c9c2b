/**
 * The audit log: one row for each change by or of people who run Roster, never changed, never removed. Each row carries the hash of the
 * row before, and its number is its `_id`: two transactions that append at once collide there, so there is one chain.
 */
import { createHash } from 'node:crypto';
import type { Collection, Session } from '../connection/db.ts';
import type { AuditDocument, AuditEntry } from '../models/requests.ts';

export type AuditRow = AuditEntry & { number: number; before: string; hash: string };

const digits = 16;
const idOf = (number: number): string => String(number).padStart(digits, '0');
const first = '0'.repeat(64);

/** Members in one order, independent of the stored order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const hashOf = ({ hash: _own, ...row }: Omit<AuditDocument, 'hash'> & { hash?: string }): string =>
  createHash('sha256').update(canonical(row)).digest('hex');

const rowOf = ({ _id, ...rest }: AuditDocument): AuditRow => ({ number: Number(_id), ...rest });

export type AuditVerdict = { rows: number; head: string; broken?: { number: number; reason: string } };

const flaw = (row: AuditDocument, number: number, before: string): string | undefined => {
  if (row._id !== idOf(number)) return `row ${number} is missing`;
  if (row.before !== before) return 'it does not follow the row before it';
  return hashOf(row) === row.hash ? undefined : 'it was changed after it was written';
};

/** The rows of these entries, each linked to the one before it. */
const rowsAfter = (last: AuditDocument | null, entries: readonly AuditEntry[]): AuditDocument[] => {
  let [number, before] = [last ? Number(last._id) : 0, last?.hash ?? first];
  return entries.map((entry) => {
    number += 1;
    const row = { ...entry, _id: idOf(number), before };
    before = hashOf(row);
    return { ...row, hash: before };
  });
};

const verify = async (audit: Collection<AuditDocument>): Promise<AuditVerdict> => {
  let before = first;
  let rows = 0;
  for await (const row of audit.find().sort({ _id: 1 })) {
    const reason = flaw(row, rows + 1, before);
    if (reason) return { rows, head: before, broken: { number: Number(row._id), reason } };
    before = row.hash;
    rows += 1;
  }
  return { rows, head: before };
};

export const createAudit = (audit: Collection<AuditDocument>) => ({
  /** In the transaction of the change itself: both happen, or neither. */
  async append(session: Session, ...entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const last = await audit.findOne({}, { session, sort: { _id: -1 } });
    await audit.insertMany(rowsAfter(last, entries), { session });
  },

  /** The requests among these with a row in the log: a redelivered job must not repeat their changes. */
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
