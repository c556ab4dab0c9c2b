/**
 * Whether a request has been applied already: its job comes again, or its caller asks again under the same idempotency key. What changed
 * something stands in the audit log; what changed nothing has a mark among the requests, without a word about people.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { Session, Store } from '@roster/store';

/** Longer than any idempotency key is kept. */
const keptMs = 30 * 24 * 3_600_000;

export const isApplied = async ({ audit, requests }: Store, session: Session, { id }: AcceptedRequest) =>
  (await audit.has(session, id)) ||
  (await requests.findOne({ _id: id }, { session, projection: { _id: 1 } })) !== null;

export const markUnchanged = async (
  { requests }: Store,
  session: Session,
  { id, ws, op, at }: AcceptedRequest,
): Promise<void> => {
  const applied = new Date();
  const expires = new Date(applied.getTime() + keptMs);
  await requests.insertOne({ _id: id, ws, op, at, state: 'applied', applied, expires }, { session });
};
