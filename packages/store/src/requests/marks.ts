/** Exactly once in effect: the mark that a request is applied is written in the same transaction as its effect. */
import type { Collection, Session } from '../connection/db.ts';
import type { RequestDocument } from '../models/requests.ts';
import { outcomeOf, type StoredOutcome } from './outcomes.ts';

interface MarksFound {
  /** Outcomes of requests that have been applied already. */
  applied: ReadonlyMap<string, StoredOutcome>;
  /** Requests that failed and are tried again: their marks don't count. */
  failed: ReadonlySet<string>;
}

export interface Marks {
  find(session: Session, ids: readonly string[], attempt: number): Promise<MarksFound>;
  write(session: Session, marks: readonly RequestDocument[], found: MarksFound): Promise<void>;
}

const none: MarksFound = { applied: new Map(), failed: new Set() };

const sorted = (marks: readonly RequestDocument[]): MarksFound => {
  const [applied, failed] = [new Map<string, StoredOutcome>(), new Set<string>()];
  for (const mark of marks) {
    if (mark.state === 'applied') applied.set(mark._id, outcomeOf(mark));
    else failed.add(mark._id);
  }
  return { applied, failed };
};

export const createMarks = (requests: Collection<RequestDocument>): Marks => ({
  /**
   * Most requests come once, so the first try does not look for marks. The mark of a repeated request is a duplicate key, which undoes
   * the whole transaction; the second try looks.
   */
  async find(session, ids, attempt) {
    if (attempt === 0) return none;
    return sorted(
      await requests.find({ _id: { $in: [...ids] } }, { session, batchSize: ids.length + 1 }).toArray(),
    );
  },

  async write(session, marks, { failed }) {
    const fresh = failed.size === 0 ? marks : marks.filter(({ _id }) => !failed.has(_id));
    if (fresh.length > 0) await requests.insertMany([...fresh], { session });
    for (const mark of marks) {
      if (failed.has(mark._id)) await requests.replaceOne({ _id: mark._id }, mark, { session });
    }
  },
});
