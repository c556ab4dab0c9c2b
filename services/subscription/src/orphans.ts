/**
 * What was said about emails and phones that nobody had, when its 30 days are over: it goes, or, if somebody came with the address in
 * time, it stays theirs and nobody else's. Address by address, each in a transaction of its own; can be repeated and left at any point.
 */

import { orphanLife } from '@roster/profile';
import type { AddressDocument, Session, Statement, Store } from '@roster/store';
import { readHadSince } from './load.ts';

export interface OrphanSweepOptions {
  store: Store;
  /** A stamp of now. */
  now(): Promise<number>;
  /** Whether everything accepted up to a stamp is applied: who came with the address in time may still be queued. */
  isPast(stamp: number): Promise<boolean>;
  /** How many addresses one run looks at, at most. */
  most?: number;
}

const stepSize = 100;

/** Whatever the clocks of servers do. */
const margin = 60_000_000;

const due = (cutoff: number) => ({
  'consents.orphan': true,
  'consents.at': { $lt: cutoff },
  consents: { $elemMatch: { orphan: true, at: { $lt: cutoff } } },
});

const decided = (statement: Statement, cutoff: number, since: number | undefined): Statement | undefined => {
  const { orphan, ...rest } = statement;
  if (!orphan || statement.at >= cutoff) return statement;
  return since !== undefined && since <= statement.at + orphanLife ? { ...rest, taken: true } : undefined;
};

export const createOrphanSweep = ({ store, now, isPast, most = 10_000 }: OrphanSweepOptions) => {
  const { addresses, profiles, transact } = store;

  const decide = async (session: Session, _id: string, cutoff: number): Promise<void> => {
    const found: AddressDocument | null = await addresses.findOne({ _id }, { session });
    if (!found) return;
    const since = (await readHadSince({ profiles }, session, new Set([_id]))).get(_id);
    const consents = found.consents
      .map((statement) => decided(statement, cutoff, since))
      .filter((statement) => statement !== undefined);
    if (consents.length === 0) await addresses.deleteOne({ _id }, { session });
    else await addresses.updateOne({ _id }, { $set: { consents } }, { session });
  };

  /** Says how many addresses it has decided. */
  return async (): Promise<number> => {
    const today = (await now()) - margin;
    if (!(await isPast(today))) return 0;
    const cutoff = today - orphanLife;
    let count = 0;
    while (count < most) {
      const found = await addresses.find(due(cutoff), { projection: { _id: 1 }, limit: stepSize }).toArray();
      for (const { _id } of found) await transact((session) => decide(session, _id, cutoff));
      count += found.length;
      if (found.length < stepSize) break;
    }
    return count;
  };
};
