/**
 * Whether a request has been applied already: its job comes again, or its caller asks again under the same idempotency key. What changed
 * something stands in the audit log; what changed nothing has a mark among the requests, without a word about people.
 */
import type { AcceptedRequest } from '@roster/contract';
import { markOf, type Session, type Store } from '@roster/store';

export const isApplied = async ({ audit, requests }: Store, session: Session, { id }: AcceptedRequest) =>
  (await audit.known(session, [id])).size > 0 ||
  (await requests.findOne({ _id: id }, { session, projection: { _id: 1 } })) !== null;

/** For longer than any idempotency key is kept. */
export const markUnchanged = ({ requests }: Store, session: Session, request: AcceptedRequest) =>
  requests.insertOne(markOf(request, { state: 'applied' }), { session });
