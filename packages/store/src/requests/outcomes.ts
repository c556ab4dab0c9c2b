/** Outcomes of requests: reads them, and records failures. */
import { isDuplicate } from '../connection/classify.ts';
import type { Collection } from '../connection/db.ts';
import { defaultOutcomeDays, type SettingsOf } from '../settings/settings-of.ts';
import type { RequestDocument } from '../shapes/documents.ts';
import { outcomeOf, type StoredOutcome } from './outcome.ts';

export interface FailedRequest {
  id: string;
  ws: string;
  op: string;
  at: number;
}

const dayMs = 24 * 3600 * 1000;

/** Counted from the application, not from the acceptance: a late retry must be remembered as long as any other request. */
export const expiryOf = (applied: Date, days = defaultOutcomeDays): Date =>
  new Date(applied.getTime() + days * dayMs);

export const createOutcomes = (requests: Collection<RequestDocument>, outcomeDaysOf: SettingsOf<number>) => ({
  /** `undefined`: not applied, not failed, or too long ago. */
  async read(ws: string, id: string): Promise<StoredOutcome | undefined> {
    const found = await requests.findOne({ _id: id, ws });
    return found ? outcomeOf(found) : undefined;
  },

  /** Only marks with the state `applied` count as applied: a request that failed can be retried later. */
  async fail({ id, ws, op, at }: FailedRequest, reason: string): Promise<void> {
    const applied = new Date();
    const expires = expiryOf(applied, await outcomeDaysOf(ws));
    const mark = { ws, op, at, state: 'failed' as const, applied, reason, expires };
    try {
      await requests.updateOne({ _id: id, state: 'failed' }, { $set: mark }, { upsert: true });
    } catch (error) {
      // Another worker has applied it after all: that outcome stands.
      if (!isDuplicate(error)) throw error;
    }
  },
});
