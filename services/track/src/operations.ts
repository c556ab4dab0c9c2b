/** The work of this worker for each operation of its queue. An operation without a line does not compile. */
import {
  type AcceptedRequest,
  type EventEntry,
  type ListsOf,
  lineOf,
  type OperationsOf,
  type PurchaseEntry,
  type TrackAccepted,
  unpackExact,
} from '@roster/contract';
import { type PreparedRequest, prepare } from '@roster/profile';

/** Lists whose entries change people: transactions collide over these people. Events and purchases of an existing person change no profile. */
const lines: { readonly [Id in OperationsOf<'track'>]: readonly ListsOf<Id>[] } = {
  'users.track': ['attributes'],
  'users.track.bulk': ['attributes'],
  'users.track.sync': ['attributes'],
};

/** The ingress has judged the body: only this file trusts its type. */
const entriesIn = ({ body, exact }: AcceptedRequest): TrackAccepted =>
  ((exact ? unpackExact(body) : body) ?? {}) as TrackAccepted;

/** Called also for requests of other operations. */
export const changingLists = ({ op }: AcceptedRequest): readonly string[] =>
  Object.hasOwn(lines, op) ? lineOf<Record<string, readonly string[]>>(lines, op) : [];

export type TrackRequest = PreparedRequest<EventEntry, PurchaseEntry>;

/** Throws for an operation that only another version knows. */
export const prepared = (request: AcceptedRequest): TrackRequest => {
  const { id, ws, at, op } = request;
  lineOf(lines, op);
  return prepare({ id, ws, at, op, body: entriesIn(request) });
};
