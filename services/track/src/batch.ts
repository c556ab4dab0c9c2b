/** The requests of one turn, ready to be applied. */
import {
  type AcceptedRequest,
  type EventEntry,
  type PurchaseEntry,
  type TrackAccepted,
  unpackExact,
} from '@roster/contract';
import { type Prepared, prepare } from '@roster/profile';

export type TrackRequest = Prepared<EventEntry, PurchaseEntry>;

/** The judge has seen the body: this is the one place that believes it. */
const bodyOf = ({ body, exact }: AcceptedRequest): TrackAccepted =>
  (exact ? unpackExact(body) : (body ?? {})) as TrackAccepted;

export const prepared = (request: AcceptedRequest): TrackRequest =>
  prepare({ id: request.id, ws: request.ws, at: request.at, op: request.op, body: bodyOf(request) });
