/** The chain of the audit log: each row holds the hash of the row before. */
import { createHash } from 'node:crypto';
import type { Collection } from './db.ts';
import type { AuditDocument, AuditEntry } from './documents.ts';

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

export const rowOf = ({ _id, ...rest }: AuditDocument): AuditRow => ({ number: Number(_id), ...rest });

export type AuditVerdict = { rows: number; head: string; broken?: { number: number; reason: string } };

const flaw = (row: AuditDocument, number: number, before: string): string | undefined => {
  if (row._id !== idOf(number)) return `row ${number} is missing`;
  if (row.before !== before) return 'it does not follow the row before it';
  return hashOf(row) === row.hash ? undefined : 'it was changed after it was written';
};

/** The rows of these entries, each linked to the one before it. */
export const rowsAfter = (last: AuditDocument | null, entries: readonly AuditEntry[]): AuditDocument[] => {
  let [number, before] = [last ? Number(last._id) : 0, last?.hash ?? first];
  return entries.map((entry) => {
    number += 1;
    const row = { ...entry, _id: idOf(number), before };
    before = hashOf(row);
    return { ...row, hash: before };
  });
};

export const verify = async (audit: Collection<AuditDocument>): Promise<AuditVerdict> => {
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
